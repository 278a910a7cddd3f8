import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { atEnd } from './at-end.ts'

const folders: string[] = []

/** A folder on disk with these files in it, by their paths. A path that ends with a slash is a folder. Gone after the last test. */
export async function aSourceFolder(files: { readonly [path: string]: string | Uint8Array } = {}): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'quire-source-'))
  folders.push(folder)
  for (const [path, content] of Object.entries(files)) await addFile(folder, path, content)
  return folder
}

export async function addFile(folder: string, path: string, content: string | Uint8Array): Promise<void> {
  const place = join(folder, path)
  await mkdir(path.endsWith('/') ? place : dirname(place), { recursive: true })
  if (!path.endsWith('/')) await writeFile(place, content)
}

atEnd(async () => {
  for (const folder of folders) await rm(folder, { recursive: true, force: true })
})
