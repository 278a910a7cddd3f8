import { repeating } from '../../../src/core/documents/proxies/proxy.ts'
import type { Document } from '../../../src/model/document.ts'
import type { Model } from '../../../src/model/model.ts'
import { type Acl, deny, grant } from '../../../src/model/rights/acl.ts'
import type { Random } from '../../faults/kill/random.ts'
import { aStoredChild, aStoredDocument, aStoredProxy, aStoredVersion } from '../../support/stored-document.ts'
import { happens, inOneWay, oneOf, times } from './chance.ts'
import { ownFacet, ownTypes } from './random-model.ts'
import { someProperties } from './random-properties.ts'
import { dates, texts } from './random-values.ts'

/** Documents refer to lists of entries by these numbers until they are stored; then by those that the lists have there. */
export const acpCount = 4

const types = ['Folder', 'OrderedFolder', 'Workspace', 'File', 'Note', ...ownTypes, ...ownTypes]
const folderish = new Set(['Root', 'Folder', 'OrderedFolder', 'Workspace', 'Box'])
const states = ['project', 'approved', 'obsolete', 'undefined']
export const names = ['a', 'A', 'ab', 'b', 'foo', 'foo-bar', 'été', '😀', 'a b', 'z%', '_']
export const people = ['bob', 'ann', 'members', 'Everyone']
export const permissions = ['Browse', 'Read', 'Write', 'Everything']

/** A tree with versions, proxies and documents without a place, in the order in which they are created. */
export function someDocuments(random: Random, model: Model, size: number): readonly Document[] {
  const made: Document[] = [aStoredDocument({ id: 'root', type: 'Root', acpId: 0 })]
  while (made.length < size) {
    const id = `d${String(made.length).padStart(3, '0')}`
    const document = { ...aDocument(random, model, made), id, acpId: random.between(0, acpCount) }
    if (!made.some((other) => other.parentId === document.parentId && other.name === document.name && document.parentId !== null))
      made.push(document)
  }
  return withLatestFlags(model, made)
}

function aDocument(random: Random, model: Model, made: readonly Document[]): Document {
  const folders = made.filter(({ type, path, isProxy }) => folderish.has(type) && path !== null && !isProxy)
  const live = made.filter(({ isVersion, isProxy, type }) => !isVersion && !isProxy && type !== 'Root')
  const shown = made.filter(({ isProxy, type }) => !isProxy && type !== 'Root')
  const parent = oneOf(random, folders)
  const name = oneOf(random, names)
  return inOneWay(random, [
    [10, () => aChild(random, model, parent, name)],
    [live.length === 0 ? 0 : 3, () => aVersion(random, model, oneOf(random, live), made)],
    [shown.length === 0 ? 0 : 3, () => aProxy(random, model, parent, name, oneOf(random, shown))],
    [1, () => ({ ...aChild(random, model, parent, name), parentId: null, path: null })],
    [
      1,
      () => ({
        ...aChild(random, model, parent, name),
        type: 'Relation',
        facets: [],
        parentId: null,
        path: null,
        properties: {},
      }),
    ],
  ])
}

function aChild(random: Random, model: Model, parent: Document, name: string): Document {
  const type = oneOf(random, types)
  const facets = [ownFacet, 'HiddenInNavigation', 'Commentable'].filter(() => happens(random, 0.2))
  const position = parent.type === 'OrderedFolder' ? random.between(0, 20) : null
  const properties = someProperties(random, model, { type, facets })
  return aStoredChild(parent, name, { type, facets, position, properties, ...someSystemFields(random) })
}

export function someSystemFields(random: Random): Partial<Document> {
  return {
    state: oneOf(random, states),
    isTrashed: happens(random, 0.2),
    isCheckedIn: happens(random, 0.3),
    isRecord: happens(random, 0.2),
    hasLegalHold: happens(random, 0.2),
    retainUntil: happens(random, 0.2) ? oneOf(random, dates) : null,
    lock: happens(random, 0.2) ? { owner: oneOf(random, people), created: oneOf(random, dates) } : null,
    acls: happens(random, 0.4) ? someAcls(random) : [],
  }
}

function someAcls(random: Random): readonly Acl[] {
  return ['local', 'other']
    .slice(0, random.between(1, 3))
    .map((name) => ({ name, aces: times(random, 1, 4, () => anAce(random)) }))
}

function anAce(random: Random) {
  const dated = (share: number) => (happens(random, share) ? oneOf(random, dates) : null)
  const options = { creator: oneOf(random, ['ann', null]), begin: dated(0.3), end: dated(0.3) }
  return (happens(random, 0.8) ? grant : deny)(oneOf(random, people), oneOf(random, permissions), options)
}

function aVersion(random: Random, model: Model, live: Document, made: readonly Document[]): Document {
  const number = made.filter((one) => one.isVersion && one.seriesId === live.id).length + 1
  const isMajor = happens(random, 0.4)
  return aStoredVersion(live, {
    properties: happens(random, 0.5) ? live.properties : someProperties(random, model, live),
    majorVersion: isMajor ? number : 0,
    minorVersion: isMajor ? 0 : number,
    versionCreated: oneOf(random, dates),
    versionComment: oneOf(random, [null, ...texts.slice(0, 4)]),
    lock: null,
    acls: [],
    isTrashed: false,
  })
}

function aProxy(random: Random, model: Model, parent: Document, name: string, target: Document): Document {
  const { acls = [], isTrashed = false } = someSystemFields(random)
  return repeating(model, aStoredProxy(parent, name, target, { acls, isTrashed }), target)
}

/** Of each series the last version is the latest, and so is the last major one; their proxies say the same. */
function withLatestFlags(model: Model, made: readonly Document[]): readonly Document[] {
  const isLast = (version: Document, among: (one: Document) => boolean) =>
    made.findLast((one) => one.isVersion && one.seriesId === version.seriesId && among(one)) === version
  const flagged = made.map((one) =>
    one.isVersion
      ? {
          ...one,
          isLatestVersion: isLast(one, () => true),
          isLatestMajorVersion: one.minorVersion === 0 && isLast(one, ({ minorVersion }) => minorVersion === 0),
        }
      : one,
  )
  const byId = new Map(flagged.map((one) => [one.id, one]))
  return flagged.map((one) => {
    const target = one.isProxy ? byId.get(one.targetId ?? '') : undefined
    return target === undefined ? one : repeating(model, one, target)
  })
}
