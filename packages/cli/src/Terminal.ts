/** The parts of `process` that the program uses. */
export type Terminal = Pick<NodeJS.Process, "stdin" | "stdout" | "stderr" | "env">
