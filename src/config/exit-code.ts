/**
 * The exit code of a process that its operator has to help: a setting is wrong, or the machine lacks what a setting names.
 * The process has printed why. It is EX_CONFIG of sysexits.h; Node ends with 1 for faults of other kinds.
 */
export const WRONG_SETTINGS = 78;
