/** `siskin completion bash|zsh`: a script for the shell, made from the table of commands. */
import { type ExitCode, UsageError } from "../exit.ts";
import type { Terminal } from "../terminal.ts";

const COMMON = ["--project", "--manifest", "--connection", "--as", "--property", "--source", "--help"];

/** `usages`: the usage of each command by its name. */
export async function completionCommand(
  args: readonly string[],
  terminal: Terminal,
  usages: ReadonlyMap<string, string>,
): Promise<ExitCode> {
  const [shell] = args;
  if ((shell !== "bash" && shell !== "zsh") || args.length > 1)
    throw new UsageError("siskin completion takes bash or zsh.");
  const words = [...usages].map(([name, usage]) => {
    const own = [...usage.matchAll(/--[a-z-]+/g)].map(([option]) => option);
    return { name, options: [...new Set([...own, ...COMMON])].join(" ") };
  });
  const names = words.map(({ name }) => name).join(" ");
  const cases = words.map(({ name, options }) => `    ${name}) words="${options}" ;;`).join("\n");
  const text = `# eval "$(siskin completion ${shell})"
${shell === "zsh" ? "autoload -U +X bashcompinit && bashcompinit\n" : ""}_siskin() {
  local current="\${COMP_WORDS[COMP_CWORD]}" words
  case "\${COMP_WORDS[1]}" in
${cases}
    *) words="" ;;
  esac
  if [ "$COMP_CWORD" -eq 1 ]; then words="${names}"; fi
  case "$current" in
    -*) COMPREPLY=($(compgen -W "$words" -- "$current")) ;;
    *)
      if [ "$COMP_CWORD" -eq 1 ]; then COMPREPLY=($(compgen -W "$words" -- "$current"))
      else COMPREPLY=($(compgen -f -- "$current")); fi ;;
  esac
}
complete -o filenames -F _siskin siskin
`;
  await terminal.out(text);
  return 0;
}
