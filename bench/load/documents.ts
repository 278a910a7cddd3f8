import { emptyDocument } from '../../src/core/documents/empty-document.ts'
import type { Document } from '../../src/model/document.ts'
import type { Model } from '../../src/model/model.ts'
import { joinPath } from '../../src/model/path-segment.ts'
import type { Properties } from '../../src/model/properties/property.ts'
import { type Acl, deny, grant, localAclName } from '../../src/model/rights/acl.ts'
import { everyone } from '../../src/model/rights/principal.ts'
import { editorsGroup } from './people.ts'
import * as tree from './tree.ts'

/** A document ready to be stored below its parent, with the parent's rights. */
export type PlaceBelow = (parent: Document, child: Child) => Document

interface Child {
  readonly id: string
  readonly type: string
  readonly name: string
  readonly properties: Properties
}

export function createPlacing(model: Model): PlaceBelow {
  const untouched = new Map<string, Document>()
  const emptyOf = (type: string) => {
    const known =
      untouched.get(type) ?? emptyDocument(model, { repository: 'default', id: '', type, name: '', parent: undefined })
    untouched.set(type, known)
    return known
  }
  return (parent, { id, type, name, properties }) => {
    const empty = emptyOf(type)
    const place = { id, name, parentId: parent.id, path: joinPath(parent.path ?? '', name), acpId: parent.acpId }
    return { ...empty, ...place, properties: { ...empty.properties, ...properties } }
  }
}

export const homeAcls: readonly Acl[] = [{ name: localAclName, aces: [grant(editorsGroup, 'ReadWrite')] }]

export function aclsOfTeam(team: number): readonly Acl[] {
  const own = grant(tree.teamName(team), 'ReadWrite')
  return [{ name: localAclName, aces: tree.isClosed(team) ? [own, deny(everyone, 'Everything')] : [own] }]
}

/** Entries for groups that nobody asks for: whoever looks for its own has to pass them. */
export function aclsOfLevel(level: number): readonly Acl[] {
  const strangers = Array.from({ length: tree.entriesOnLevel }, (_, entry) => `strangers-${level}-${entry}`)
  return [{ name: localAclName, aces: strangers.map((group) => grant(group, 'ReadWrite')) }]
}

export const home = (): Child => aFolder('Workspace', tree.idOf('home', 0), 'bench')
export const inbox = (number: number): Child => aFolder('Folder', tree.idOf('inbox', number), tree.inboxName(number))
export const team = (number: number): Child => aFolder('Folder', tree.idOf('team', number), tree.teamName(number))
export const folder = (number: number): Child => aFolder('Folder', tree.idOf('folder', number), tree.folderName(number))

export const level = (number: number): Child => aFolder('Folder', tree.idOf('level', number), tree.levelName(number))
export const deepFile = (): Child => ({ ...file(0), id: tree.idOf('deepFile', 0), name: tree.deepFileName })
export const topFile = (): Child => ({ ...file(0), id: tree.idOf('topFile', 0), name: tree.topFileName })

function aFolder(type: string, id: string, name: string): Child {
  const date = '2024-01-01T00:00:00.000Z'
  const stamps = { 'dc:created': date, 'dc:modified': date, 'dc:creator': 'Administrator', 'dc:contributors': ['Administrator'] }
  return { id, type, name, properties: { 'dc:title': name, ...stamps, 'dc:lastContributor': 'Administrator' } }
}

const words = [
  'annual',
  'budget',
  'contract',
  'draft',
  'estimate',
  'final',
  'guideline',
  'handover',
  'invoice',
  'journal',
  'kick-off',
]
const subjects = ['art/architecture', 'art/cinema', 'sciences/astronomy', 'society/economy', 'technology/informatic']
/** Each is a word of about 1,100 in 10,000 files, of which the reader sees 780. */
export const departments = [
  'accounting',
  'engineering',
  'legal',
  'logistics',
  'marketing',
  'personnel',
  'purchasing',
  'research',
  'sales',
]
const natures = ['article', 'contract', 'invoice', 'report', 'memo']
const secondsBetweenFiles = 30

export function file(number: number): Child {
  const chance = tree.scatter(number)
  const word = (salt: number) => pick(words, tree.scatter(number + salt * 7_919))
  const author = `user-${chance % 500}`
  const created = new Date(Date.UTC(2024, 0, 1) + number * secondsBetweenFiles * 1_000).toISOString()
  return {
    id: tree.idOf('file', number),
    type: 'File',
    name: tree.fileName(number),
    properties: {
      'dc:title': `${word(1)} ${word(2)} ${number}`,
      'dc:description': `The ${word(3)} ${word(4)} that the ${word(5)} of ${created.slice(0, 10)} asks for, ${word(6)} and ${word(7)}.`,
      'dc:subjects': [pick(subjects, chance)],
      'dc:nature': pick(natures, chance),
      'dc:publisher': pick(departments, tree.scatter(number + 9 * 7_919)),
      'dc:source': 'scanner',
      'dc:language': 'en',
      'dc:created': created,
      'dc:modified': created,
      'dc:creator': author,
      'dc:contributors': [author],
      'dc:lastContributor': author,
      'file:content': contentOf(number),
    },
  }
}

/** Describes bytes that are not there: nothing here opens them. */
function contentOf(number: number): Properties[string] {
  const digest = Array.from({ length: 4 }, (_, part) =>
    tree
      .scatter(number * 4 + part)
      .toString(16)
      .padStart(8, '0'),
  ).join('')
  return {
    // As long as a SHA-256: a server takes shorter ones for addresses of earlier programs, and looks for those files to give them today's.
    key: `${digest}${digest}`,
    name: tree.fileName(number),
    // Nothing that text is read from: there are no bytes, and each save would leave a job that fails.
    'mime-type': 'application/x-scan',
    encoding: null,
    digest,
    digestAlgorithm: 'MD5',
    length: 10_000 + (tree.scatter(number) % 1_000_000),
  }
}

function pick<One>(list: readonly One[], chance: number): One {
  return list[chance % list.length] as One
}
