import { Buffer } from 'node:buffer'
import { isBase64 } from '../../base/base64.ts'
import { createYieldPoint } from '../../base/event-loop.ts'
import type { Json } from '../../base/json.ts'
import type { Field, FieldType } from '../../model/field.ts'
import type { Model } from '../../model/model.ts'
import type { JsonObject } from '../../model/properties/coercion.ts'
import type { BlobValue } from '../../model/properties/property.ts'
import type { Ace, Acl } from '../../model/rights/acl.ts'
import { inheritedAclName, localAclName } from '../../model/rights/acl.ts'
import { prefixOf } from '../../model/schema.ts'
import { findChild, textAt, type XmlNode } from './xml-tree.ts'

/** A document as its `document.xml` has it (contract: blobs 15.1). */
export interface ArchivedDocument {
  readonly id: string
  readonly type: string
  /** Of the folders on the way to it, and its own. */
  readonly names: readonly string[]
  readonly state: string | undefined
  readonly facets: readonly string[]
  readonly acls: readonly Acl[]
  readonly properties: JsonObject
  /** The files that objects in the properties stand for. */
  readonly blobs: ReadonlyMap<object, BlobValue>
}

/** Stores the file that an element names. Undefined when there is none. */
export type StageBlob = (data: string) => Promise<Pick<BlobValue, 'key' | 'digest' | 'digestAlgorithm' | 'length'> | undefined>

/** What the model does not know is left out: the archive may be of a server with other plugins. */
export async function readArchived(model: Model, root: XmlNode, stage: StageBlob): Promise<ArchivedDocument> {
  const system = findChild(root, 'system')
  const reading: Reading = { stage, blobs: new Map(), pause: createYieldPoint() }
  const properties: { [name: string]: Json } = {}
  for (const node of root.children) {
    const schema = node.name === 'schema' ? model.schemas.get(node.attributes['name'] ?? '') : undefined
    await reading.pause()
    if (schema === undefined) continue
    const own = firstByName(node)
    for (const { name, type } of schema.fields) {
      const child = own.get(name)
      if (child !== undefined) properties[`${prefixOf(schema)}:${name}`] = await jsonOf(reading, type, child)
    }
  }
  return {
    id: root.attributes['id'] ?? '',
    type: textAt(system, 'type') ?? '',
    names: (textAt(system, 'path') ?? '').split('/').filter((name) => name !== ''),
    state: textAt(system, 'lifecycle-state'),
    facets: (system?.children ?? []).filter(({ name }) => name === 'facet').map(({ text }) => text),
    acls: aclsOf(findChild(system, 'access-control')),
    properties,
    blobs: reading.blobs,
  }
}

interface Reading {
  readonly stage: StageBlob
  readonly blobs: Map<object, BlobValue>
  /** Lets other requests go on: a document may have a hundred thousand elements. */
  readonly pause: ReturnType<typeof createYieldPoint>
}

/** The children by their names without prefixes, of two with one name the first. */
function firstByName({ children }: XmlNode): ReadonlyMap<string, XmlNode> {
  const byName = new Map<string, XmlNode>()
  for (const child of children) {
    const name = localName(child.name)
    if (!byName.has(name)) byName.set(name, child)
  }
  return byName
}

function localName(name: string): string {
  return name.slice(name.indexOf(':') + 1)
}

async function jsonOf(reading: Reading, type: FieldType, node: XmlNode): Promise<Json> {
  switch (type.kind) {
    case 'blob':
      return readBlob(reading, node)
    case 'list': {
      const items: Json[] = []
      for (const child of node.children) {
        items.push(await jsonOf(reading, type.item.type, child))
        await reading.pause()
      }
      return items
    }
    case 'complex':
      return readMembers(reading, type.fields, node)
    default:
      return type.kind === 'string' || node.text !== '' ? node.text : null
  }
}

async function readMembers(reading: Reading, fields: readonly Field[], node: XmlNode): Promise<Json> {
  const members: { [name: string]: Json } = {}
  const own = firstByName(node)
  for (const { name, type } of fields) {
    const child = own.get(name)
    if (child !== undefined) members[name] = await jsonOf(reading, type, child)
  }
  return members
}

async function readBlob({ stage, blobs }: Reading, node: XmlNode): Promise<Json> {
  const stored = await stage(textAt(node, 'data') ?? '')
  if (stored === undefined) return null
  const said = (name: string) => textAt(node, name) || null
  const json = {}
  blobs.set(json, { ...stored, name: said('filename'), 'mime-type': said('mime-type'), encoding: said('encoding') })
  return json
}

/** The bytes that stand in the XML itself; undefined when it is no such text. */
export function inlinedBytes(data: string): Uint8Array | undefined {
  const plain = data.replaceAll(/\s/g, '')
  return plain !== '' && isBase64(plain) ? Buffer.from(plain, 'base64') : undefined
}

/** Its own; those of folders above it stay there. */
function aclsOf(control: XmlNode | undefined): readonly Acl[] {
  const own = (control?.children ?? []).filter(
    ({ name, attributes }) => name === 'acl' && attributes['name'] !== inheritedAclName,
  )
  return own.map(({ attributes, children }) => ({
    name: attributes['name']?.trim() ? attributes['name'] : localAclName,
    aces: children.filter(({ name }) => name === 'entry').map((entry) => aceOf(entry.attributes)),
  }))
}

function aceOf({ principal = '', permission = '', grant = 'true', creator, begin, end }: XmlNode['attributes']): Ace {
  return {
    username: principal,
    permission,
    granted: grant !== 'false',
    creator: creator ?? null,
    begin: begin ?? null,
    end: end ?? null,
  }
}
