/** A file with the folders that it lay in, below where it was dropped. */
export interface DroppedFile {
  readonly file: File
  readonly folders: readonly string[]
}

/** All files of what was dropped, those in folders included. */
export async function readDropped(items: DataTransferItemList): Promise<readonly DroppedFile[]> {
  // The list is empty once the event is over.
  const entries = [...items].map((item) => item.webkitGetAsEntry()).filter((entry) => entry !== null)
  return (await Promise.all(entries.map((entry) => readEntry(entry, [])))).flat()
}

async function readEntry(entry: FileSystemEntry, folders: readonly string[]): Promise<readonly DroppedFile[]> {
  if (isFile(entry)) return [{ file: await new Promise<File>((resolve, reject) => entry.file(resolve, reject)), folders }]
  const inside = await readAll((entry as FileSystemDirectoryEntry).createReader())
  return (await Promise.all(inside.map((one) => readEntry(one, [...folders, entry.name])))).flat()
}

/** A reader gives a hundred or so at a time. */
async function readAll(reader: FileSystemDirectoryReader): Promise<readonly FileSystemEntry[]> {
  const all: FileSystemEntry[] = []
  for (;;) {
    const some = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject))
    if (some.length === 0) return all
    all.push(...some)
  }
}

function isFile(entry: FileSystemEntry): entry is FileSystemFileEntry {
  return entry.isFile
}
