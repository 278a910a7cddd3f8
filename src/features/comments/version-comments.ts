import { newId } from '../../base/ids.ts'
import { typedName } from '../../base/typed-name.ts'
import { systemAccess } from '../../core/access.ts'
import { removeDocument } from '../../core/documents/remove-document.ts'
import { defineJob } from '../../core/jobs/worker.ts'
import type { InlineListener, WriteSession } from '../../core/session.ts'
import { type Document, pristine } from '../../model/document.ts'
import { ancestorIdsOf, findCommentRoot, getOrCreateCommentRoot, isComment } from './comment-place.ts'

/** What is still to be copied: the rest of what is below, in the order of paths. */
type Rest = {
  readonly versionId: string
  /** The last path that was copied, from what holds the comments on. */
  readonly after: string
}

// As many as most documents ever have are there when the check-in is; a check-in does not wait for a thread of thousands, which any
// reader could write.
const copiedAtOnce = 200
const jobKind = typedName<Rest>('copyCommentsToVersion')

/** A version keeps what was said of the document by then (contract: adapters 5.4). */
export const versionComments: InlineListener = {
  name: 'commentsOfVersions',
  when: 'inline',
  events: ['documentCheckedIn'],
  async handle({ document, properties }, session) {
    const source = await findCommentRoot(session, document)
    if (source === undefined) return
    await copyOrAddJob(session.asSystem(), { versionId: String(properties['checkedInVersionRef']), after: '' })
  },
}

export const versionCommentsJob = defineJob({
  kind: jobKind,
  run: (rest, repository) => systemAccess(repository).write((session) => copyOrAddJob(session, rest)),
})

/** Copies the next part; what is left then is another job, added with it. */
async function copyOrAddJob(system: WriteSession, { versionId, after }: Rest): Promise<void> {
  const version = await system.tx.documents.find(versionId)
  const live = version && (await system.tx.documents.find(version.seriesId ?? ''))
  const source = live && (await findCommentRoot(system, live))
  // Rights of its own, or of a comment, are somebody's decision, which a copy would undo.
  if (version === undefined || source === undefined || source.path === null || source.acls.length > 0) return
  const { path } = source
  const page = await system.tx.documents.listBelow(path, after === '' ? undefined : path + after, copiedAtOnce)
  const wanted = page.filter((one) => isComment(system.model, one))
  if (wanted.length > 0) await copyAll(system, source, await getOrCreateCommentRoot(system, version), version, wanted)
  const last = page.at(-1)?.path
  if (page.length < copiedAtOnce || last === undefined || last === null) return
  const rest: Rest = { versionId, after: last.slice(path.length) }
  await system.tx.jobs.add(jobKind, rest, { owner: system.principal.onBehalfOf ?? system.principal.name })
}

/** Those that are there already were copied by a job that did not come to its end. */
async function copyAll(
  system: WriteSession,
  source: Document,
  root: Document,
  version: Document,
  comments: readonly Document[],
): Promise<void> {
  const { documents } = system.tx
  const pathIn = (one: Document) => `${root.path}${(one.path ?? '').slice((source.path ?? '').length)}`
  const parentPathIn = (one: Document) => pathIn(one).slice(0, -one.name.length - 1)
  const paths = new Set(comments.flatMap((one) => [pathIn(one), parentPathIn(one)]))
  const known = new Map((await documents.findAllByPath([...paths])).map((one) => [one.path, one]))
  const copies: Document[] = []
  for (const comment of comments) {
    const parent = known.get(parentPathIn(comment))
    // What is below one that is left out is left out too.
    if (parent === undefined || known.has(pathIn(comment)) || comment.acls.length > 0) continue
    const copy = copyOf(comment, parent, parent.id === root.id ? version.id : undefined)
    known.set(copy.path, copy)
    copies.push(copy)
  }
  await documents.insertMany(copies)
}

function copyOf({ repository, name, type, facets, state, properties }: Document, parent: Document, versionId?: string): Document {
  const parentId = versionId ?? parent.id
  const ancestorIds = versionId === undefined ? [parent.id, ...ancestorIdsOf(parent)] : [versionId]
  return {
    ...pristine,
    id: newId(),
    repository,
    name,
    type,
    facets,
    state,
    properties: { ...properties, 'comment:parentId': parentId, 'comment:ancestorIds': ancestorIds },
    parentId: parent.id,
    path: `${parent.path}/${name}`,
    position: null,
    acls: [],
    acpId: parent.acpId,
  }
}

/** What is below a document goes with it; what was said of a version is elsewhere. */
export const removeVersionComments: InlineListener = {
  name: 'commentsOfRemovedVersions',
  when: 'inline',
  events: ['documentRemoved'],
  async handle({ document }, session) {
    if (!document.isVersion) return
    const root = await findCommentRoot(session, document)
    if (root !== undefined) await removeDocument(session.asSystem(), root.id)
  },
}
