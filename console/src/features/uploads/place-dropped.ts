import { call } from '../../api/client.ts'
import type { Document } from '../../api/types.ts'
import type { DroppedFile } from './dropped-files.ts'
import { sendFiles } from './send-files.ts'

/** Makes the folders that the files lay in, then sends the files. @throws Problem */
export async function placeDropped(dropped: readonly DroppedFile[], parentId: string): Promise<void> {
  const folders = new Map<string, Promise<string>>([['', Promise.resolve(parentId)]])
  const folderOf = (path: readonly string[]): Promise<string> => {
    const key = path.join('/')
    const known = folders.get(key)
    if (known !== undefined) return known
    const made = folderOf(path.slice(0, -1)).then((above) => makeFolder(path.at(-1) ?? '', above))
    folders.set(key, made)
    return made
  }
  const placed: { readonly file: File; readonly parentId: string }[] = []
  // One after the other: two folders of one name are one.
  for (const { file, folders: path } of dropped) placed.push({ file, parentId: await folderOf(path) })
  await sendFiles(placed)
}

async function makeFolder(title: string, parentId: string): Promise<string> {
  const { uid } = await call<Document>('automation/FileManager.CreateFolder', {
    method: 'POST',
    json: { input: `doc:${parentId}`, params: { title, overwrite: true }, context: {} },
  })
  return uid
}
