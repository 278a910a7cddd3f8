import { join } from 'node:path'

/** The folder of the program: one above this file, in the sources as in the bundle that is installed. */
export const packageRoot = join(import.meta.dirname, '..')
