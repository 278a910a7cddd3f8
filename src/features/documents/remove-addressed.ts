import { Problem } from '../../base/problem.ts'
import { removeDocument } from '../../core/documents/remove-document.ts'
import type { WriteSession } from '../../core/session.ts'
import type { Document } from '../../model/document.ts'

/** Clients show the message as it is, so it says what failed before it says why. */
export async function removeAddressed(session: WriteSession, { id, path }: Document): Promise<void> {
  await removeDocument(session, id).catch((error: unknown) => {
    throw error instanceof Problem ? withPlace(error, path ?? id) : error
  })
}

function withPlace(problem: Problem, place: string): Problem {
  const message = `Failed to delete document ${place}, ${problem.message}`
  return new Problem(problem.code, problem.kind, message, problem.details, { cause: problem })
}
