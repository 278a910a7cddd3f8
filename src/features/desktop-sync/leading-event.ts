import { securityUpdated } from './change-rows.ts'

/**
 * Of a document that several things happened to a client heeds one. It looks through a folder anew when rights have changed, looks for it
 * elsewhere when it was moved, and otherwise notes a lock; all the rest it takes from what the document is now.
 */
const ranks: ReadonlyMap<string, number> = new Map([
  [securityUpdated, 3],
  ['documentMoved', 2],
  ['documentLocked', 1],
  ['documentUnlocked', 1],
])

export function leadingEvent(before: string | undefined, event: string): string {
  return before !== undefined && rankOf(before) > rankOf(event) ? before : event
}

function rankOf(event: string): number {
  return ranks.get(event) ?? 0
}
