/**
 * The exit code of a process that needs its operator: a setting is wrong, or the machine lacks something that a setting names.
 * The process has printed the reason. It is EX_CONFIG of sysexits.h; Node exits with 1 for other failures.
 */
export const WRONG_SETTINGS = 78;
