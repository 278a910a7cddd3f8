import { type Json, stringifyJson } from '../../../base/json.ts'
import { type Document, formatChangeToken } from '../../../model/document.ts'
import type { Acl } from '../../../model/rights/acl.ts'
import { archivedProperties, propertiesOfArchived } from './archived-files.ts'
import { readFields } from './line-fields.ts'

/**
 * Why a document is in an archive that it is not in the tree of: a proxy of the tree shows this version (`shown`), it is about documents
 * of the tree (`attached`), or what is so lies in it (`place`).
 */
export type LinePart = 'shown' | 'place' | 'attached'

/** Where a server keeps tasks and workflows (contract: workflow 1.1 and 1.2). Only there does a tree bring documents beside itself. */
const placesOfAttached = ['/task-root', '/document-route-instances-root']

export function isPlaceOfAttached(path: string): boolean {
  return placesOfAttached.some((place) => path === place || path.startsWith(`${place}/`))
}

/** Lists by which tasks and workflows name the documents that they are about. */
export const listsOfSubjects = ['docri:participatingDocuments', 'nt:targetDocumentsIds']
/** By which relations, which have no place, name their two ends. */
export const endsOfRelations = ['relation:source', 'relation:target']

/** A document as it stands in an archive. What decides about it beside its own rights follows from where it is put. */
export interface DocumentLine {
  readonly document: Omit<Document, 'acpId' | 'repository'>
  /** Absent: it is in the tree. */
  readonly part?: LinePart
  /** What this proxy points to is not in the archive. */
  readonly isTargetElsewhere?: boolean
}

/** Fields have the names that the API gives them; those that say nothing are left out. */
export function lineOf({ document, part, isTargetElsewhere }: DocumentLine): string {
  const { lock } = document
  return stringifyJson({
    'entity-type': 'document',
    uid: document.id,
    type: document.type,
    name: document.name,
    ...set('path', document.path),
    ...set('parentRef', document.parentId),
    ...set('position', document.position),
    ...set('part', part),
    ...(document.facets.length > 0 && { facets: document.facets }),
    state: document.state,
    ...flag('isTrashed', document.isTrashed),
    ...flag('isVersion', document.isVersion),
    ...flag('isProxy', document.isProxy),
    ...set('proxyTargetId', document.targetId),
    ...flag('isTargetElsewhere', isTargetElsewhere === true),
    ...set('versionableId', document.seriesId),
    ...flag('isCheckedIn', document.isCheckedIn),
    ...number('majorVersion', document.majorVersion),
    ...number('minorVersion', document.minorVersion),
    ...set('baseVersionId', document.baseVersionId),
    ...flag('isLatestVersion', document.isLatestVersion),
    ...flag('isLatestMajorVersion', document.isLatestMajorVersion),
    ...set('versionCreated', document.versionCreated),
    ...set('versionComment', document.versionComment),
    ...flag('isRecord', document.isRecord),
    ...set('retainUntil', document.retainUntil),
    ...flag('hasLegalHold', document.hasLegalHold),
    ...(lock !== null && { lockOwner: lock.owner, lockCreated: lock.created }),
    changeToken: formatChangeToken(document.changeToken),
    ...(document.acls.length > 0 && { acls: document.acls.map(archivedAcl) }),
    properties: archivedProperties(document.properties),
  })
}

const set = (name: string, value: string | number | null | undefined) => (value == null ? {} : { [name]: value })
const flag = (name: string, is: boolean) => (is ? { [name]: true } : {})
const number = (name: string, value: number) => (value === 0 ? {} : { [name]: value })

/** In one order, which a database need not keep. */
function archivedAcl({ name, aces }: Acl): Json {
  return {
    name,
    aces: aces.map(({ username, permission, granted, creator, begin, end }) => ({
      username,
      permission,
      granted,
      ...set('creator', creator),
      ...set('begin', begin),
      ...set('end', end),
    })),
  }
}

const parts: readonly LinePart[] = ['shown', 'place', 'attached']
const changeToken = /^(\d{1,15})-(\d{1,15})$/
/** What can stand in an address as it is, and in a list of ids. */
const usableId = /^[\w-]{1,100}$/

/** @throws archiveDamaged with the name and the number of the line */
export function readLine(text: string, place: string): DocumentLine {
  const line = readFields(text, place)
  const id = line.text('uid')
  if (!usableId.test(id)) throw line.refuse(`uid is none that a document can have: ${id.slice(0, 100)}`)
  const [, system, user] = changeToken.exec(line.findText('changeToken') ?? '0-0') ?? throwing(line.refuse('changeToken is none'))
  const part = line.findText('part') as LinePart | null
  if (part !== null && !parts.includes(part)) throw line.refuse('part is none of shown, place and attached')
  const owner = line.findText('lockOwner')
  return {
    document: {
      id,
      type: line.text('type'),
      name: line.text('name'),
      path: line.findText('path'),
      parentId: line.findText('parentRef'),
      position: line.findInteger('position'),
      facets: line.texts('facets'),
      state: line.text('state'),
      isTrashed: line.flag('isTrashed'),
      isVersion: line.flag('isVersion'),
      isProxy: line.flag('isProxy'),
      targetId: line.findText('proxyTargetId'),
      seriesId: line.findText('versionableId'),
      isCheckedIn: line.flag('isCheckedIn'),
      majorVersion: line.findInteger('majorVersion') ?? 0,
      minorVersion: line.findInteger('minorVersion') ?? 0,
      baseVersionId: line.findText('baseVersionId'),
      isLatestVersion: line.flag('isLatestVersion'),
      isLatestMajorVersion: line.flag('isLatestMajorVersion'),
      versionCreated: line.findDate('versionCreated'),
      versionComment: line.findText('versionComment'),
      isRecord: line.flag('isRecord'),
      retainUntil: line.findDate('retainUntil'),
      hasLegalHold: line.flag('hasLegalHold'),
      lock:
        owner === null
          ? null
          : { owner, created: line.findDate('lockCreated') ?? throwing(line.refuse('lockCreated is no date')) },
      changeToken: { system: Number(system), user: Number(user) },
      acls: line.objects('acls').map((acl) => ({
        name: acl.text('name'),
        aces: acl.objects('aces').map((ace) => ({
          username: ace.text('username'),
          permission: ace.text('permission'),
          granted: ace.flag('granted'),
          creator: ace.findText('creator'),
          begin: ace.findDate('begin'),
          end: ace.findDate('end'),
        })),
      })),
      properties: propertiesOfArchived(line.object('properties')),
    },
    ...(part !== null && { part }),
    ...(line.flag('isTargetElsewhere') && { isTargetElsewhere: true }),
  }
}

function throwing(error: Error): never {
  throw error
}
