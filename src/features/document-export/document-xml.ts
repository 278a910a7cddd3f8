import type { VendorIdentifiers } from '../../base/vendor.ts'
import { formatXml, textElement, type XmlElement } from '../../base/xml.ts'
import { shapeSeen } from '../../core/documents/proxies/proxy.ts'
import { hasPermission } from '../../core/permissions.ts'
import type { Session } from '../../core/session.ts'
import type { Document } from '../../model/document.ts'
import type { FieldType } from '../../model/field.ts'
import { type BlobValue, isBlobValue, isComplexValue, isUnset, type PropertyValue } from '../../model/properties/property.ts'
import { shownProperty } from '../../model/properties/shown-property.ts'
import type { Ace, Acl } from '../../model/rights/acl.ts'
import { type DocumentSchema, prefixOf } from '../../model/schema.ts'
import type { Shape } from '../../model/shape.ts'
import { listShownAcls } from '../../rest/render/acl-json.ts'

/** A document as XML, all that can be read of it, with the names on the way to it for its path (contract: blobs 15.1). */
export async function writeDocumentXml(
  session: Session,
  document: Document,
  { names }: { readonly names: readonly string[] },
  vendored: VendorIdentifiers,
): Promise<string> {
  const shape = shapeSeen(session.model, document)
  const { repository, id } = document
  return formatXml({
    name: 'document',
    attributes: { repository, id },
    children: [
      await systemElement(session, document, names.join('/'), shape),
      ...shape.schemas.map((schema) => schemaElement(schema, document, vendored)),
    ],
  })
}

async function systemElement(session: Session, document: Document, path: string, shape: Shape): Promise<XmlElement> {
  const { type, state } = document
  const { lifecycle } = shape.type
  return {
    name: 'system',
    children: [
      textElement('type', type),
      textElement('path', path),
      ...(lifecycle !== undefined ? [textElement('lifecycle-state', state), textElement('lifecycle-policy', lifecycle)] : []),
      ...shape.facets.map((facet) => textElement('facet', facet)),
      ...(await rightsElements(session, document)),
    ],
  }
}

async function rightsElements(session: Session, document: Document): Promise<readonly XmlElement[]> {
  if (!(await hasPermission(session, document, 'ReadSecurity'))) return []
  const acls = await listShownAcls(session, document)
  return [{ name: 'access-control', children: acls.map(aclElement) }]
}

function aclElement({ name, aces }: Acl): XmlElement {
  return { name: 'acl', attributes: { name }, children: aces.map(aceElement) }
}

function aceElement({ username: principal, permission, granted, creator, begin, end }: Ace): XmlElement {
  const dates = { ...(begin !== null && { begin }), ...(end !== null && { end }) }
  const grant = String(granted)
  return { name: 'entry', attributes: { principal, permission, grant, ...(creator !== null && { creator }), ...dates } }
}

function schemaElement(schema: DocumentSchema, document: Document, vendored: VendorIdentifiers): XmlElement {
  const prefix = prefixOf(schema)
  const namespace = `${vendored('http://www.platform.org/ecm/schemas/')}${schema.name}/`
  return {
    name: 'schema',
    attributes: { [`xmlns:${prefix}`]: namespace, name: schema.name },
    children: schema.fields.flatMap(({ name, type }) =>
      valueElements(`${prefix}:${name}`, type, shownProperty(document, `${prefix}:${name}`)),
    ),
  }
}

/** Nothing for what is not set. */
function valueElements(name: string, type: FieldType, value: PropertyValue | undefined): readonly XmlElement[] {
  if (value === undefined || isUnset(value)) return []
  if (type.kind === 'list') {
    const { item } = type
    return [{ name, children: (value as readonly PropertyValue[]).flatMap((one) => itemElements(item.name, item.type, one)) }]
  }
  if (type.kind === 'blob') return isBlobValue(value) ? [{ name, children: blobElements(value) }] : []
  if (type.kind !== 'complex') return [{ name, cdata: String(value) }]
  const members = isComplexValue(value) ? value : {}
  return [{ name, children: type.fields.flatMap((field) => valueElements(field.name, field.type, members[field.name])) }]
}

/** An item without a value keeps the place of those behind it. */
function itemElements(name: string, type: FieldType, value: PropertyValue): readonly XmlElement[] {
  const elements = valueElements(name, type, value)
  return elements.length === 0 ? [{ name }] : elements
}

function blobElements(blob: BlobValue): readonly XmlElement[] {
  return [
    textElement('encoding', blob.encoding ?? ''),
    textElement('mime-type', blob['mime-type'] ?? ''),
    textElement('filename', blob.name ?? ''),
    textElement('data', blobFileName(blob)),
    textElement('digest', blob.digest),
  ]
}

/** The name of a file in an archive, where it lies beside the XML of its document: the same bytes are there once. */
export function blobFileName({ digest }: BlobValue): string {
  return `${digest}.blob`
}
