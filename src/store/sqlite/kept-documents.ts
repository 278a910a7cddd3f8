import { type Document, type DocumentId, makeRoom } from '../../model/document.ts'
import type { DocumentReader } from '../documents.ts'
import type { Changes } from './change-notes.ts'
import { createGlances } from './glances.ts'

/** A number that changes when anybody but this process has committed. */
export type OthersVersion = () => number

export interface KeptDocuments {
  readonly documents: DocumentReader
  /** To be told of what this process commits, in the same breath. */
  forget(changed: Changes['documents']): void
}

/**
 * Keeps documents that were looked up twice until they change. The same folders are read over and over, and reading a row and its
 * JSON is a third of the work of answering with it (measured); keeping also what nobody asks for again made each first look-up a
 * third slower. What this process changes it knows, and a commit of another process, which may have changed anything, is noticed
 * by the database's version.
 */
export function keepDocuments(documents: DocumentReader, othersVersion: OthersVersion, most: number): KeptDocuments {
  const byId = new Map<DocumentId, Document>()
  const byPath = new Map<string, Document>()
  /** In the order of arrival, the oldest to be overwritten next. A map could tell, but looks through all it has forgotten. */
  const arrivals: DocumentId[] = []
  let oldest = 0
  const isSeenAgain = createGlances()
  let keptVersion = -1
  let commits = 0

  function forgetAll(): void {
    byId.clear()
    byPath.clear()
    arrivals.length = 0
    oldest = 0
  }

  function forgetOne(id: DocumentId): void {
    const path = byId.get(id)?.path
    if (path != null) byPath.delete(path)
    byId.delete(id)
  }

  function checkOthers(): void {
    const version = othersVersion()
    if (version === keptVersion) return
    keptVersion = version
    commits += 1
    forgetAll()
  }

  /** Unless something was committed while the document was on its way. */
  function keep(document: Document | undefined, commitsBefore: number): Document | undefined {
    if (document === undefined || commits !== commitsBefore || most === 0) return document
    if (!isSeenAgain(document.id)) return document
    if (!byId.has(document.id)) arrive(document.id)
    makeRoom(document)
    byId.set(document.id, document)
    if (document.path !== null) byPath.set(document.path, document)
    return document
  }

  function arrive(id: DocumentId): void {
    if (arrivals.length < most) {
      arrivals.push(id)
      return
    }
    forgetOne(arrivals[oldest] as DocumentId)
    arrivals[oldest] = id
    oldest = (oldest + 1) % most
  }

  return {
    documents: {
      ...documents,
      async find(id) {
        checkOthers()
        const known = byId.get(id)
        if (known !== undefined) return known
        const before = commits
        return keep(await documents.find(id), before)
      },
      async findByPath(path) {
        checkOthers()
        const known = byPath.get(path)
        if (known !== undefined) return known
        const before = commits
        return keep(await documents.findByPath(path), before)
      },
    },
    forget(changed) {
      commits += 1
      if (changed === 'any') forgetAll()
      else for (const id of changed) forgetOne(id)
    },
  }
}
