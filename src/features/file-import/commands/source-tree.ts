import { Buffer } from 'node:buffer'
import { lstat, opendir } from 'node:fs/promises'
import { decodeStrictly } from '../../../base/decoded-text.ts'
import { importTitle } from '../import-file.ts'
import type { LeftOutReason } from './tally.ts'

/** A folder on disk. Paths are bytes: a name need not be text in any encoding. */
export interface SourceFolder {
  readonly path: Buffer
  readonly name: string
  /** From the folder that is imported, for people. */
  readonly shown: string
  /** Undefined for the folder that is imported itself. */
  readonly parent?: SourceFolder
}

export interface SourceFileEntry {
  readonly path: Buffer
  readonly name: string
  readonly shown: string
  readonly folder: SourceFolder
  readonly length: number
  readonly modified: Date
}

/** What is found on the way, a folder always before what is in it. */
export type SourceEntry =
  | { readonly kind: 'folder'; readonly folder: SourceFolder }
  | { readonly kind: 'file'; readonly file: SourceFileEntry }
  /** A hidden name, a link, or no file at all. */
  | { readonly kind: 'leftOut'; readonly shown: string; readonly reason: LeftOutReason }
  | { readonly kind: 'unreadable'; readonly shown: string; readonly error: unknown }

export interface WalkRules {
  /** Names that begin with a dot are taken too. */
  readonly hidden: boolean
}

export function sourceRoot(path: string): SourceFolder {
  return { path: Buffer.from(path), name: '', shown: '' }
}

/** All that is below a folder. Only the folders that are still to be read are in memory. */
export async function* walk(root: SourceFolder, rules: WalkRules): AsyncGenerator<SourceEntry> {
  const waiting = [root]
  for (let folder = waiting.pop(); folder !== undefined; folder = waiting.pop()) {
    if (folder !== root) yield { kind: 'folder', folder }
    for await (const entry of entriesIn(folder, rules)) {
      if (entry.kind === 'folder') waiting.push(entry.folder)
      else yield entry
    }
  }
}

async function* entriesIn(folder: SourceFolder, rules: WalkRules): AsyncGenerator<SourceEntry> {
  try {
    for await (const { name } of await opendir(folder.path, { encoding: 'buffer' as BufferEncoding })) {
      yield await entryOf(folder, Buffer.from(name), rules) // bytes, as the encoding asked for
    }
  } catch (error) {
    yield { kind: 'unreadable', shown: folder.shown || '.', error }
  }
}

async function entryOf(folder: SourceFolder, bytes: Buffer, { hidden }: WalkRules): Promise<SourceEntry> {
  const name = entryName(bytes)
  const shown = folder.shown === '' ? name : `${folder.shown}/${name}`
  if (!hidden && bytes[0] === dot) return { kind: 'leftOut', shown, reason: 'hidden' }
  const path = Buffer.concat([folder.path, slash, bytes])
  try {
    const stats = await lstat(path)
    if (stats.isDirectory()) return { kind: 'folder', folder: { path, name, shown, parent: folder } }
    if (!stats.isFile()) return { kind: 'leftOut', shown, reason: stats.isSymbolicLink() ? 'link' : 'special' }
    return { kind: 'file', file: { path, name, shown, folder, length: stats.size, modified: stats.mtime } }
  } catch (error) {
    return { kind: 'unreadable', shown, error }
  }
}

const dot = 0x2e
const slash = Buffer.from('/')

/**
 * The name of a file or folder as text. On old disks it is in another encoding than UTF-8; a backslash in it separates no folders; and
 * where nothing of it shows, there would be no telling the document from others.
 */
export function entryName(bytes: Buffer): string {
  const name = (decodeStrictly(bytes, 'utf-8') ?? bytes.toString('latin1')).replaceAll('\\', '-')
  return importTitle(name) === '' ? encodeURIComponent(name) : name
}
