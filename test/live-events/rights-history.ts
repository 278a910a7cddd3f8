import assert from 'node:assert/strict'
import fc from 'fast-check'
import { groupMembers } from '../../src/core/directories/people.ts'
import { createDocument } from '../../src/core/documents/create-document.ts'
import { moveDocument } from '../../src/core/documents/place/move-document.ts'
import { readDocumentByPath } from '../../src/core/documents/read-document.ts'
import { removeDocument } from '../../src/core/documents/remove-document.ts'
import { setAcls } from '../../src/core/documents/rights/set-acls.ts'
import { saveDocument } from '../../src/core/documents/save-document.ts'
import type { Repository } from '../../src/core/session.ts'
import type { Document } from '../../src/model/document.ts'
import { type Ace, deny, grant, isGrantedBy } from '../../src/model/rights/acl.ts'
import type { Principal } from '../../src/model/rights/principal.ts'
import type { TestServer } from '../../src/testing.ts'
import { basicHeader, type EventStream, openEventStream } from '../support/event-stream.ts'

export const listeners = ['reader0', 'reader1', 'reader2'] as const
const group = 'readersOfEvents'
const folderCount = 2
const fileCount = 3

/** Something that is done to one of a few folders and files, which the number chooses; where it cannot be done, nothing is. */
export type Step =
  | { readonly kind: 'save' | 'remove'; readonly file: number }
  | { readonly kind: 'move'; readonly file: number; readonly folder: number }
  | { readonly kind: 'restrict' | 'open'; readonly place: number; readonly names: readonly string[] }
  | { readonly kind: 'join' | 'leave'; readonly user: number }
  /** The connections of all are lost; they come back with the last id. */
  | { readonly kind: 'reconnect' }

const file = fc.nat(fileCount - 1)
const names = fc.subarray([...listeners, group])
export const history: fc.Arbitrary<readonly Step[]> = fc.array(
  fc.oneof(
    { weight: 4, arbitrary: fc.record({ kind: fc.constant('save'), file }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('remove'), file }) },
    { weight: 2, arbitrary: fc.record({ kind: fc.constant('move'), file, folder: fc.nat(folderCount - 1) }) },
    {
      weight: 4,
      arbitrary: fc.record({ kind: fc.constantFrom('restrict', 'open'), place: fc.nat(folderCount + fileCount - 1), names }),
    },
    { weight: 2, arbitrary: fc.record({ kind: fc.constantFrom('join', 'leave'), user: fc.nat(listeners.length - 1) }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('reconnect') }) },
  ) as fc.Arbitrary<Step>,
  { minLength: 8, maxLength: 16 },
)

/** What was so after a step. */
interface Moment {
  readonly principals: ReadonlyMap<string, Principal>
  /** The entries that decide about each file that is there. */
  readonly entries: ReadonlyMap<string, readonly Ace[]>
}

/** A file was saved or removed: in the step of this number. */
interface Deed {
  readonly event: 'documentModified' | 'documentRemoved'
  readonly uid: string
  readonly token: string
  readonly step: number
  /** By which it was decided about the file when it happened. */
  readonly entries: readonly Ace[]
}

export async function addListeners(server: TestServer): Promise<void> {
  for (const name of listeners) await server.addUser(name)
}

/**
 * Does all that, while everybody listens, and checks what they heard against the rights that there were: nobody may hear of what they
 * could not read by the entries of then and of a moment since; who could all the time hears of it once. Who asks at the end for all of it
 * hears exactly of what they could read then and can now. Groups are those of the later moment, but for removals those of then count, too;
 * and where these are not known, something is said to be missing instead.
 */
export async function checkHistory(server: TestServer, steps: readonly Step[]): Promise<void> {
  const run = await HistoryRun.begin(server)
  try {
    for (const step of steps) await run.take(step)
    await run.check()
  } finally {
    run.close()
  }
}

class HistoryRun {
  readonly #server: TestServer
  readonly #repository: Repository
  readonly #folders: readonly string[]
  readonly #files: readonly string[]
  readonly #marker: string
  readonly #moments: Moment[] = []
  readonly #deeds: Deed[] = []
  /** All streams that a listener had, one after the other. */
  readonly #streams = new Map<string, EventStream[]>()
  #startIds: ReadonlyMap<string, string> = new Map()
  #marks = 0

  private constructor(server: TestServer, repository: Repository, uids: readonly string[]) {
    this.#server = server
    this.#repository = repository
    this.#folders = uids.slice(0, folderCount)
    this.#files = uids.slice(folderCount, -1)
    this.#marker = uids.at(-1) ?? ''
  }

  static async begin(server: TestServer): Promise<HistoryRun> {
    const repository = server.services.repositories.get('default')
    assert.ok(repository)
    const uids = await server.asSystem(async (session) => {
      const workspaces = await readDocumentByPath(session, '/default-domain/workspaces')
      const create = (parent: Document, type: string) =>
        createDocument(session, { parent, type, name: 'history', properties: {} })
      const folders: Document[] = []
      for (let index = 0; index < folderCount; index += 1) folders.push(await create(workspaces, 'Folder'))
      const files: Document[] = []
      for (let index = 0; index < fileCount; index += 1)
        files.push(await create(folders[index % folderCount] ?? workspaces, 'File'))
      const marker = await create(workspaces, 'File')
      await setAcls(session, marker.id, [{ name: 'local', aces: [grant('Everyone', 'Read')] }])
      return [...folders, ...files, marker].map(({ id }) => id)
    })
    const run = new HistoryRun(server, repository, uids)
    await run.#connect()
    await run.#mark()
    run.#startIds = new Map(listeners.map((name) => [name, run.#current(name).lastEventId]))
    await run.#note()
    return run
  }

  async take(step: Step): Promise<void> {
    const deed = await this.#do(step)
    await this.#note()
    if (deed !== undefined) this.#deeds.push({ ...deed, step: this.#moments.length - 1 })
  }

  async check(): Promise<void> {
    await this.#mark()
    for (const name of listeners) {
      this.#checkHeard(name)
      await this.#checkLate(name)
    }
  }

  close(): void {
    for (const stream of [...this.#streams.values()].flat()) stream.close()
  }

  async #do(step: Step): Promise<Omit<Deed, 'step'> | undefined> {
    switch (step.kind) {
      case 'save':
        return this.#change(step.file, 'documentModified')
      case 'remove':
        return this.#change(step.file, 'documentRemoved')
      case 'move':
        return this.#server.asSystem(async (session) => {
          const uid = this.#files[step.file] ?? ''
          const found = await session.tx.documents.find(uid)
          if (found !== undefined) await moveDocument(session, uid, { parentId: this.#folders[step.folder] ?? '' })
          return undefined
        })
      case 'restrict':
      case 'open':
        return this.#server.asSystem(async (session) => {
          const uid = [...this.#folders, ...this.#files][step.place] ?? ''
          if ((await session.tx.documents.find(uid)) === undefined) return undefined
          const aces = step.names.map((one) => grant(one, 'Read'))
          const block = step.kind === 'restrict' ? [deny('Everyone', 'Everything')] : []
          await setAcls(session, uid, [{ name: 'local', aces: [...aces, ...block] }])
          return undefined
        })
      case 'join':
      case 'leave':
        await this.#server.services.directories.store.transact(async ({ directories }) => {
          const user = listeners[step.user] ?? ''
          const members = await directories.listTargets(groupMembers, group)
          if (step.kind === 'leave') await directories.removeTarget(groupMembers, group, user)
          else if (!members.includes(user)) await directories.addTarget(groupMembers, group, user)
        })
        return undefined
      case 'reconnect':
        return this.#reconnect()
    }
  }

  #change(index: number, event: Deed['event']): Promise<Omit<Deed, 'step'> | undefined> {
    const uid = this.#files[index] ?? ''
    return this.#server.asSystem(async (session) => {
      const before = await session.tx.documents.find(uid)
      if (before === undefined) return undefined
      const entries = await this.#repository.acps.entriesOf(session, before.acpId)
      if (event === 'documentRemoved') {
        await removeDocument(session, uid)
        return { event, uid, token: '', entries }
      }
      const saved = await saveDocument(session, uid, { 'dc:title': `step ${this.#moments.length}` })
      return { event, uid, token: `${saved.changeToken.system}-${saved.changeToken.user}`, entries }
    })
  }

  async #note(): Promise<void> {
    const principals = new Map<string, Principal>()
    for (const name of listeners) {
      const principal = await this.#server.services.principals.find(name)
      assert.ok(principal)
      principals.set(name, principal)
    }
    const entries = await this.#server.asSystem(async (session) => {
      const found = new Map<string, readonly Ace[]>()
      for (const uid of this.#files) {
        const document = await session.tx.documents.find(uid)
        if (document !== undefined) found.set(uid, await this.#repository.acps.entriesOf(session, document.acpId))
      }
      return found
    })
    this.#moments.push({ principals, entries })
  }

  async #connect(): Promise<void> {
    for (const name of listeners) await this.#open(name)
  }

  async #open(name: string): Promise<void> {
    const before = this.#streams.get(name) ?? []
    const id = before.at(-1)?.lastEventId
    const headers = { ...basicHeader(name), ...(id !== undefined && { 'Last-Event-ID': id }) }
    this.#streams.set(name, [...before, await openEventStream(this.#server.url, headers)])
  }

  async #reconnect(): Promise<undefined> {
    for (const name of listeners) {
      const lost = this.#current(name)
      lost.close()
      await lost.closed
    }
    await this.#connect()
  }

  #current(name: string): EventStream {
    const stream = this.#streams.get(name)?.at(-1)
    assert.ok(stream)
    return stream
  }

  /** All have heard whatever they are to hear of what was before. */
  async #mark(...also: readonly EventStream[]): Promise<void> {
    this.#marks += 1
    const { changeToken } = await this.#server.asSystem((session) =>
      saveDocument(session, this.#marker, { 'dc:title': `mark ${this.#marks}` }),
    )
    const token = `${changeToken.system}-${changeToken.user}`
    const streams = [...listeners.map((name) => this.#current(name)), ...also]
    await Promise.all(
      streams.map((stream) => stream.until(({ data }) => data.documentId === this.#marker && data.changeToken === token)),
    )
  }

  #may(entries: readonly Ace[] | undefined, name: string, moment: Moment | undefined): boolean {
    const principal = moment?.principals.get(name)
    if (entries === undefined || principal === undefined) return false
    return isGrantedBy(entries, principal, 'Read', this.#repository.model.permissions, this.#repository.now())
  }

  /** Whether somebody may be told of it at a moment since. */
  #mayKnow({ event, uid, entries, step }: Deed, name: string, moment: Moment): boolean {
    const now = moment.entries.get(uid)
    if (!this.#may(entries, name, moment)) return false
    if (event === 'documentRemoved') return this.#may(entries, name, this.#moments[step])
    return this.#may(now, name, moment)
  }

  /** It was told, or something was said to be missing where that is all that can be said. */
  #isTold(streams: readonly EventStream[], deed: Deed): boolean {
    const isReset = deed.event === 'documentRemoved' && streams.some(({ heard }) => heard.some(({ name }) => name === 'reset'))
    return isReset || this.#timesHeard(streams, deed) === 1
  }

  #timesHeard(streams: readonly EventStream[], deed: Deed): number {
    const isIt = ({ data }: EventStream['heard'][number]) =>
      data.documentId === deed.uid && data.event === deed.event && (deed.token === '' || data.changeToken === deed.token)
    return streams.flatMap(({ heard }) => heard).filter(isIt).length
  }

  #checkHeard(name: string): void {
    const streams = this.#streams.get(name) ?? []
    for (const deed of this.#deeds) {
      const since = this.#moments.slice(deed.step).map((moment) => this.#mayKnow(deed, name, moment))
      const times = this.#timesHeard(streams, deed)
      const about = `${deed.event} in step ${deed.step} for ${name}`
      assert.ok(times <= 1, `${about} was told ${times} times`)
      if (!since.includes(true)) assert.equal(times, 0, `${about} was told`)
      if (!since.includes(false)) assert.ok(this.#isTold(streams, deed), `${about} was not told`)
    }
    this.#checkStray(name, streams)
  }

  /** Nothing at all is heard of a file that was never to be known, whatever the event. */
  #checkStray(name: string, streams: readonly EventStream[]): void {
    for (const uid of this.#files) {
      const isEver = this.#moments.some((moment) => this.#may(moment.entries.get(uid), name, moment))
      const heard = streams.flatMap((stream) => stream.heard).filter(({ data }) => data.documentId === uid)
      if (!isEver) assert.deepEqual(heard, [], `${name} heard of a file that was never to be read`)
    }
  }

  async #checkLate(name: string): Promise<void> {
    const headers = { ...basicHeader(name), 'Last-Event-ID': this.#startIds.get(name) ?? '' }
    const late = await openEventStream(this.#server.url, headers)
    try {
      await this.#mark(late)
      const last = this.#moments.at(-1)
      assert.ok(last)
      for (const deed of this.#deeds) {
        const about = `${deed.event} in step ${deed.step} for ${name}, told late`
        if (this.#mayKnow(deed, name, last)) assert.ok(this.#isTold([late], deed), about)
        else assert.equal(this.#timesHeard([late], deed), 0, about)
      }
      const unreadable = this.#files.filter((uid) => last.entries.has(uid) && !this.#may(last.entries.get(uid), name, last))
      assert.ok(!late.heard.some(({ data }) => unreadable.includes(data.documentId)))
    } finally {
      late.close()
    }
  }
}
