import type { Document } from '../model/document.ts'
import type { Resolver } from '../model/field.ts'
import type { DirectoryEntry, DirectoryReader } from '../store/directories.ts'
import { throughProxy } from './documents/proxies/proxy.ts'
import { findReadable } from './documents/read-document.ts'
import { hasPermission } from './permissions.ts'
import type { Principals } from './principals/principals.ts'
import type { Reference, References, Session } from './session.ts'

export function createReferences(directories: DirectoryReader, principals: Pick<Principals, 'find' | 'labelGroups'>): References {
  async function findPrincipal(type: 'user' | 'group' | 'any', value: string): Promise<Reference | undefined> {
    const id = principalIn(value)
    if (type !== 'group' && (await principals.find(id)) !== undefined) return { kind: 'user', id }
    if (type !== 'user' && (await principals.labelGroups([id])).has(id)) return { kind: 'group', id }
    return undefined
  }

  /** `art/cinema` is the entry `cinema` below `art`; `cinema` alone finds it too. */
  async function findDirectoryEntry(resolver: Extract<Resolver, { kind: 'directory' }>, value: string) {
    const { directory, parentField = 'parent', separator = '/' } = resolver
    const whole = await directories.find(directory, value)
    if (whole !== undefined) return entryReference(directory, whole)
    const ids = value.split(separator)
    const entry = ids.length < 2 ? undefined : await directories.find(directory, ids.at(-1) ?? '')
    if (entry === undefined) return undefined
    let below = entry
    for (const parentId of ids.slice(0, -1).reverse()) {
      if (below.values[parentField] !== parentId) return undefined
      const parent = await directories.find(directory, parentId)
      if (parent === undefined) return undefined
      below = parent
    }
    return entryReference(directory, entry)
  }

  return {
    find(session, resolver, value) {
      switch (resolver.kind) {
        case 'user':
          return findPrincipal(resolver.type, value)
        case 'directory':
          return findDirectoryEntry(resolver, value)
        case 'document':
          return findDocument(session, resolver.store, value)
      }
    },
  }
}

function entryReference(directory: string, entry: DirectoryEntry): Reference {
  return { kind: 'directoryEntry', directory, entry }
}

/** A document is named by id or path, behind its repository (`default:…`) unless the resolver says `…Only`. */
async function findDocument(
  session: Session,
  store: Extract<Resolver, { kind: 'document' }>['store'],
  value: string,
): Promise<Reference | undefined> {
  const reference = store.endsWith('Only') ? value : withoutRepository(session, value)
  if (reference === undefined) return undefined
  const document = reference.startsWith('/')
    ? await findReadableByPath(session, reference)
    : await findReadable(session, reference)
  return document && { kind: 'document', document }
}

function withoutRepository(session: Session, value: string): string | undefined {
  const colon = value.indexOf(':')
  if (colon < 0) return undefined
  return value.slice(0, colon) === session.repository.name ? value.slice(colon + 1) : undefined
}

async function findReadableByPath(session: Session, path: string): Promise<Document | undefined> {
  const found = await session.reader.documents.findByPath(path)
  if (found === undefined || !(await hasPermission(session, found, 'Read'))) return undefined
  return throughProxy(session, found)
}

export interface PrincipalReference {
  readonly kind: 'user' | 'group' | 'any'
  readonly name: string
}

/** A reference to a user or group, which may say which of the two it is: `group:staff`. */
export function parsePrincipalReference(text: string): PrincipalReference {
  const kind = (['user', 'group'] as const).find((one) => text.startsWith(`${one}:`))
  return kind === undefined ? { kind: 'any', name: text } : { kind, name: text.slice(kind.length + 1) }
}

/** The name in such a reference. */
export function principalIn(reference: string): string {
  return parsePrincipalReference(reference).name
}
