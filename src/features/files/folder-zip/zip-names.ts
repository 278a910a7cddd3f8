/** Gives each file of an archive a name that no other has, and that leads nowhere but into the folder it is unpacked to. */
export function createZipNames(): (name: string | null) => string {
  const taken = new Set<string>()
  let nameless = 0
  return (name) => {
    const bare = bareName(name ?? '')
    if (bare === '') nameless += 1
    const wanted = bare === '' ? `Unknown_${nameless}` : bare
    const free = taken.has(wanted) ? renamed(wanted, taken) : wanted
    taken.add(free)
    return free
  }
}

function renamed(name: string, taken: ReadonlySet<string>): string {
  for (let number = 1; ; number++) {
    const other = `renamed_${number}_${name}`
    if (!taken.has(other)) return other
  }
}

// No file system takes longer ones.
const mostCharacters = 200

/** What a name ends with says what the file is, so that end stays. */
function bareName(name: string): string {
  const last = name.slice(Math.max(name.lastIndexOf('/'), name.lastIndexOf('\\')) + 1)
  return last === '.' || last === '..' ? '' : last.slice(-mostCharacters)
}
