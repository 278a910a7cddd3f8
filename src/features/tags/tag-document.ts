import { defineProblem } from '../../base/problem.ts'
import { readStoredForUpdate } from '../../core/documents/read-for-update.ts'
import { saveDocument } from '../../core/documents/save-document.ts'
import { announce } from '../../core/event.ts'
import { hasPermission, requirePermission } from '../../core/permissions.ts'
import { attachedBeside } from '../../core/save-options.ts'
import type { WriteSession } from '../../core/session.ts'
import type { Document } from '../../model/document.ts'
import { itemsOf } from '../../model/properties/property-texts.ts'
import { actingName, isOwn, type Principal } from '../../model/rights/principal.ts'
import { cleanLabel, type LabelRules } from './tag-label.ts'
import { taggable, tagsProperty } from './tag-model.ts'

/** Many more than anybody looks through: all who may read a document may tag it, and all its readers are shown every tag. */
const maxTags = 1_000

export const proxiesNotTaggable = defineProblem(
  'proxiesNotTaggable',
  'invalid',
  (of: { verb: 'Adding' | 'Removing'; id: string }) =>
    `${of.verb} tags is not allowed on proxies: ${of.id} shows the tags of another document. Tag that one.`,
)

export const tooManyTags = defineProblem(
  'tooManyTags',
  'invalid',
  (of: { id: string }) => `${of.id} would have more than ${maxTags} tags. Remove some first.`,
)

export const tagNotRemovable = defineProblem(
  'tagNotRemovable',
  'forbidden',
  (of: { label?: string; id: string; user: string }) =>
    `Unable to remove ${of.label === undefined ? 'the tags' : `tag ${of.label}`} of document ${of.id}: '${of.user}' ${
      of.label === undefined ? 'may not write it' : 'neither added it nor may write the document'
    }`,
)

/** A tag, and who added it. */
interface Tag {
  readonly label: string
  readonly username: string | null
}

export function tagsOf(document: Document): readonly Tag[] {
  return itemsOf(document, tagsProperty).flatMap(({ label, username }) =>
    typeof label === 'string' ? [{ label, username: typeof username === 'string' ? username : null }] : [],
  )
}

/** Each once and in order. */
export function labelsOf(document: Document): readonly string[] {
  return [...new Set(tagsOf(document).map(({ label }) => label))].sort()
}

/**
 * Adds tags that the document does not have yet, for whoever can read it. Of what cannot have tags none is kept.
 * @throws emptyTag, tagTooLong, tooManyTags, proxiesNotTaggable, privilegeMissing
 */
export async function addTags(session: WriteSession, id: string, sent: readonly string[], rules: LabelRules): Promise<void> {
  const labels = new Set(sent.filter((text) => text !== '').map((text) => cleanLabel(text, rules)))
  const document = await readTagged(session, id, 'Adding')
  if (!session.model.shapeOf(document).hasFacet(taggable.name)) {
    session.repository.log.warn({ event: 'tags.notTaggable', id, type: document.type }, 'document cannot be tagged')
    return
  }
  const tags = tagsOf(document)
  const missing = labels.difference(new Set(tags.map(({ label }) => label)))
  if (missing.size === 0) return
  if (tags.length + missing.size > maxTags) throw tooManyTags({ id })
  const username = actingName(session.principal)
  await writeTags(session, id, [...tags, ...[...missing].map((label) => ({ label, username }))])
}

/**
 * Removes tags, as they were sent or else as they would be stored. What the document does not have is passed over.
 * @throws tagNotRemovable unless the caller added it or may write the document; proxiesNotTaggable
 */
export async function removeTags(session: WriteSession, id: string, sent: readonly string[], rules: LabelRules): Promise<void> {
  const document = await readTagged(session, id, 'Removing')
  const tags = tagsOf(document)
  const known = new Set(tags.map(({ label }) => label))
  const labels = new Set(
    sent.filter((text) => text !== '').flatMap((text) => (known.has(text) ? text : cleanLabel(text, rules))),
  ).intersection(known)
  if (labels.size === 0) return
  if (!(await hasPermission(session, document, 'Write'))) {
    const foreign = tags.find((tag) => labels.has(tag.label) && !isAddedBy(session.principal, tag))
    if (foreign !== undefined) throw tagNotRemovable({ label: foreign.label, id, user: actingName(session.principal) })
  }
  await writeTags(
    session,
    id,
    tags.filter(({ label }) => !labels.has(label)),
  )
}

/** A tag does not say when it was added: whoever has a name that was somebody else's before has added none for sure. */
function isAddedBy(principal: Principal, { username }: Tag): boolean {
  return username !== null && isOwn(principal, username, undefined)
}

/** @throws tagNotRemovable, proxiesNotTaggable */
export async function removeAllTags(session: WriteSession, id: string): Promise<void> {
  const document = await readTagged(session, id, 'Removing')
  if (!(await hasPermission(session, document, 'Write'))) {
    throw tagNotRemovable({ id, user: actingName(session.principal) })
  }
  await clearTags(session, document)
}

/** Takes all tags off, whoever asked for what makes it so. */
export async function clearTags(session: WriteSession, document: Document): Promise<void> {
  if (tagsOf(document).length > 0) await writeTags(session, document.id, [])
}

async function readTagged(session: WriteSession, id: string, verb: 'Adding' | 'Removing'): Promise<Document> {
  const document = await readStoredForUpdate(session, id)
  await requirePermission(session, document, 'Read')
  if (document.isProxy) throw proxiesNotTaggable({ verb, id })
  return document
}

/** Tags are beside the document: versions have theirs changed too, and nobody becomes a contributor by tagging. */
async function writeTags(session: WriteSession, id: string, tags: readonly Tag[]): Promise<void> {
  const saved = await saveDocument(session.asSystem(), id, { [tagsProperty]: tags.map((tag) => ({ ...tag })) }, attachedBeside)
  await announce(session, 'documentTagUpdated', saved, { options: attachedBeside })
}
