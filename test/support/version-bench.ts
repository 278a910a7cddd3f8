import assert from 'node:assert/strict'
import { type CheckedIn, checkInDocument } from '../../src/core/documents/versions/check-in.ts'
import { listVersions } from '../../src/core/documents/versions/list-versions.ts'
import type { DocumentEvent } from '../../src/core/session.ts'
import type { Document } from '../../src/model/document.ts'
import { type VersioningOption, versionLabel } from '../../src/model/versioning.ts'
import type { TestServer } from '../../src/testing.ts'
import { type Answered, type Workbench, workbenchOn } from './workbench.ts'

export const minor = { 'X-Versioning-Option': 'MINOR' }
export const major = { 'X-Versioning-Option': 'MAJOR' }
export const none = { 'X-Versioning-Option': 'NONE' }
export const fetchLabel = { 'fetch-document': 'versionLabel' }

/** Documents and their versions as the administrator works on them. */
export interface VersionBench extends Workbench {
  /** Through the session, as no REST method does it. */
  checkIn(uid: string, option?: VersioningOption, comment?: string): Promise<CheckedIn>
  /** The row as it is stored. */
  row(uid: string): Promise<Document>
  label(uid: string): Promise<string>
  /** Of its versions, oldest first. */
  listLabels(uid: string): Promise<readonly string[]>
  /** Changes the title over HTTP. */
  retitle(uid: string, title: string, headers?: { readonly [name: string]: string }): Promise<Answered>
}

export function versionBenchOn(server: TestServer): VersionBench {
  const bench = workbenchOn(server)
  return {
    ...bench,
    checkIn: (uid, option, comment) =>
      server.inSession('Administrator', (session) => checkInDocument(session, uid, option, comment)),
    async row(uid) {
      const found = await server.asSystem(({ tx }) => tx.documents.find(uid))
      assert.ok(found, `there is a document ${uid}`)
      return found
    },
    label: async (uid) => (await bench.read(uid, fetchLabel)).versionLabel,
    listLabels: (uid) =>
      server.asSystem(async (session) => {
        const versions = await listVersions(session, uid)
        return versions.map((version) => versionLabel(version, session.model.shapeOf(version)))
      }),
    retitle: (uid, title, headers) => bench.update(uid, { 'dc:title': title }, headers),
  }
}

/** Names of the events in order, without the mark at the end of every session. */
export function namesOf(events: readonly DocumentEvent[]): readonly string[] {
  return events.map(({ name }) => name).filter((name) => name !== 'sessionSaved')
}
