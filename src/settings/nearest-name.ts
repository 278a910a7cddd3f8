/** The known name that a mistyped one was most likely meant to be, if one is close. */
export function findNearestName(mistyped: string, names: readonly string[]): string | undefined {
  // Two, so that two letters in the wrong order are forgiven; in a word of two letters that would be any word.
  const tolerance = mistyped.length < 3 ? 1 : Math.max(2, Math.floor(mistyped.length / 4))
  const nearest = names
    .map((name) => ({ name, distance: editDistance(mistyped, name) }))
    .sort((one, other) => one.distance - other.distance)[0]
  return nearest !== undefined && nearest.distance <= tolerance ? nearest.name : undefined
}

/** Levenshtein's distance: how many letters to insert, remove or replace. */
function editDistance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, column) => column)
  for (const letter of from) row = nextRow(row, letter, to)
  return row.at(-1) ?? 0
}

function nextRow([first = 0, ...above]: readonly number[], letter: string, to: string): number[] {
  let diagonal = first
  let left = first + 1
  const row = [left]
  for (const [column, up] of above.entries()) {
    left = Math.min(left + 1, up + 1, diagonal + (letter === to[column] ? 0 : 1))
    diagonal = up
    row.push(left)
  }
  return row
}
