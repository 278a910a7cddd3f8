import { Problem } from '../../base/problem.ts'

/** A problem, or a refusal of the system, as one line; an unexpected error with the place where it happened. */
export function problemLine(error: unknown): string {
  if (!(error instanceof Error)) return `unexpected ${String(error)}`
  if (error instanceof Problem || 'syscall' in error) return error.message.replaceAll(/\s*\n\s*/g, ' ')
  return `unexpected ${error.stack ?? error.message}`
}
