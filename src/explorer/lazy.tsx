/** A part of the page that is loaded when it is first shown. */
import type { ComponentType } from "preact";
import { useEffect, useState } from "preact/hooks";

export function lazy<Props extends object>(load: () => Promise<ComponentType<Props>>): ComponentType<Props> {
  let loaded: ComponentType<Props> | undefined;
  return function Lazy(props: Props) {
    const [View, setView] = useState(() => loaded);
    const [failed, fail] = useState(false);
    useEffect(() => {
      if (loaded !== undefined) return;
      load().then(
        (found) => {
          loaded = found;
          setView(() => found);
        },
        () => fail(true),
      );
    }, []);
    if (failed) return <p class="note bad">A part of the page did not arrive. Reload the page.</p>;
    return View === undefined ? (
      <p class="note" aria-busy="true">
        Loading…
      </p>
    ) : (
      <View {...props} />
    );
  };
}
