import { expect, test } from "vitest";
import { withoutSecrets } from "../../supervisor/words.ts";

const environment = {
  SIDECAR_SECRET: "a long secret",
  AUTH: "none",
  API_KEYS: "x",
  HOST: "127.0.0.1",
  CACHE_URL: undefined,
};

test.each([
  ["a secret", "bad value a long secret.", "bad value ***."],
  ["no value of another setting", "bind 127.0.0.1: none", "bind 127.0.0.1: none"],
  ["no short value", "no such x", "no such x"],
])("of the words of workerd %s is hidden", (_, line, shown) => {
  expect(withoutSecrets(line, environment)).toBe(shown);
});
