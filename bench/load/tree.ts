// Where everything stands in a repository that was filled for a benchmark. All of it follows from a number, so that a
// repository that was kept can be used again without being searched.

export const homePath = '/default-domain/workspaces/bench'
export const teamCount = 300
export const filesInFolder = 1_000
export const inboxCount = 16

const kinds = ['home', 'inbox', 'team', 'folder', 'file', 'level', 'deepFile', 'topFile'] as const
type Kind = (typeof kinds)[number]

export const inboxName = (inbox: number) => `inbox-${padded(inbox, 2)}`
export const inboxPath = (inbox: number) => `${homePath}/${inboxName(inbox)}`
export const teamName = (team: number) => `team-${padded(team, 3)}`
export const teamPath = (team: number) => `${homePath}/${teamName(team)}`
export const teamOf = (folder: number) => folder % teamCount
export const folderName = (folder: number) => `folder-${padded(folder, 5)}`
export const folderPath = (folder: number) => `${teamPath(teamOf(folder))}/${folderName(folder)}`
export const folderOf = (file: number) => Math.floor(file / filesInFolder)
export const fileName = (file: number) => `report-${padded(file, 7)}.pdf`
export const filePath = (file: number) => `${folderPath(folderOf(file))}/${fileName(file)}`

/** Folders in folders, each with entries of its own, and a file in the innermost. */
export const levelCount = 20
export const entriesOnLevel = 10
export const levelName = (level: number) => `level-${padded(level, 2)}`
export const deepFileName = 'deep.pdf'
/** A file right below the root. */
export const topFileName = 'bench-top.pdf'

/** Every third team keeps its folders to itself: a list of children has something to leave out. */
export const isClosed = (team: number) => team % 3 === 2
export const isReadable = (file: number) => !isClosed(teamOf(folderOf(file)))

const firstMillis = Date.UTC(2024, 0, 1)
const kindMillis = 10_000_000_000

/** Shaped as the server's own ids are, in the order of creation: how ids lie in an index is part of what is measured. */
export function idOf(kind: Kind, number: number): string {
  const millis = (firstMillis + kinds.indexOf(kind) * kindMillis + number).toString(16).padStart(12, '0')
  const random = [0, 1, 2]
    .map((part) =>
      scatter(number * 3 + part)
        .toString(16)
        .padStart(8, '0'),
    )
    .join('')
  return `${millis.slice(0, 8)}-${millis.slice(8)}-7${random.slice(0, 3)}-8${random.slice(3, 6)}-${random.slice(6, 18)}`
}

/** Numbers of files that an ordinary user may read, in no order, the same ones each time. */
export function someReadableFiles(files: number, count: number): readonly number[] {
  const chosen: number[] = []
  for (let turn = 0; chosen.length < count; turn++) {
    const file = scatter(turn) % files
    if (isReadable(file)) chosen.push(file)
  }
  return chosen
}

export function readableFolders(files: number, count: number): readonly number[] {
  const whole = Array.from({ length: Math.floor(files / filesInFolder) }, (_, folder) => folder)
  return whole.filter((folder) => !isClosed(teamOf(folder))).slice(0, count)
}

/** A 32-bit number that looks random; different numbers give different ones (the last step of MurmurHash3). */
export function scatter(number: number): number {
  let mixed = number | 0
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x85ebca6b)
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35)
  return (mixed ^ (mixed >>> 16)) >>> 0
}

function padded(number: number, digits: number): string {
  return String(number).padStart(digits, '0')
}
