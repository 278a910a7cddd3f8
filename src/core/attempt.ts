import type { WriteSession } from './session.ts'

/** Undoes all that the body did in the session when it fails, and nothing else: what it wrote, and what it announced. */
export async function attempt<Result>({ tx, events }: WriteSession, body: () => Promise<Result>): Promise<Result> {
  const forget = events.mark()
  try {
    return await tx.attempt(body)
  } catch (error) {
    forget()
    throw error
  }
}
