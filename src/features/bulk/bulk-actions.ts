import { defineProblem } from '../../base/problem.ts'
import { defineBulkAction } from '../../core/bulk/bulk-action.ts'
import { shapeSeen } from '../../core/documents/proxies/proxy.ts'
import { findStored } from '../../core/documents/read-document.ts'
import { removeDocument } from '../../core/documents/remove-document.ts'
import { saveDocument } from '../../core/documents/save-document.ts'
import { trashDocument } from '../../core/documents/trash/trash-document.ts'
import { untrashDocument } from '../../core/documents/trash/untrash-document.ts'
import type { WriteSession } from '../../core/session.ts'
import type { Document, DocumentId } from '../../model/document.ts'
import type { Model } from '../../model/model.ts'
import type { JsonObject } from '../../model/properties/coercion.ts'
import type { Properties } from '../../model/properties/property.ts'
import { isGone } from '../../model/properties/removed-property.ts'
import { parseXpath, withValueAt } from '../../model/properties/xpath.ts'
import { noSentBlobs } from '../../rest/payload/sent-blobs.ts'
import { readProperties } from '../../rest/payload/sent-properties.ts'
import { readTextsKind } from '../../store/file-texts.ts'

/** Has full text find documents by what they say now, and has files read that were not read yet. */
export const indexDocuments = defineBulkAction({
  name: 'index',
  isOpen: false,
  run: (session, id) => indexAll(session, [id]),
  runAll: indexAll,
})

async function indexAll({ tx, principal: { name: owner } }: WriteSession, ids: readonly DocumentId[]): Promise<void> {
  for (const id of ids) await tx.fileTexts.index(id)
  const documentIds = tx.listAwaitingTexts().map(({ documentId }) => documentId)
  if (documentIds.length > 0) await tx.jobs.add(readTextsKind, { documentIds }, { owner })
}

const truthExpected = defineProblem(
  'truthExpected',
  'invalid',
  (of: { parameter: string }) => `The parameter ${of.parameter} of the action must be true or false`,
)

/** Puts documents into the trash, or takes them out of it when the parameter `value` is false. */
export const trash = defineBulkAction({
  name: 'trash',
  isOpen: false,
  check({ value = true }) {
    if (typeof value !== 'boolean') throw truthExpected({ parameter: 'value' })
  },
  async run(session, id, { value = true }) {
    // One that was below another of them is where it should be already, or gone with it.
    if ((await findStored(session, id)) === undefined) return
    await (value === true ? trashDocument(session, id) : untrashDocument(session, id))
  },
})

/** Removes the proxies among the documents, and leaves the others alone. */
export const removeProxy = defineBulkAction({
  name: 'removeProxy',
  isOpen: false,
  async run(session, id) {
    const document = await findStored(session, id)
    if (document?.isProxy) await removeDocument(session, id)
  },
})

const propertyOutsideDocument = defineProblem(
  'propertyOutsideDocument',
  'invalid',
  (of: { xpath: string; type: string }) => `A ${of.type} has no property ${of.xpath}`,
)

/** Gives the same values to the same properties of all. Its parameters are the values by property. */
export const setProperties = defineBulkAction({
  name: 'setProperties',
  isOpen: true,
  check(parameters, { model }) {
    for (const [xpath] of everyKept(model, parameters)) parseXpath(model, xpath)
  },
  async run(session, id, parameters) {
    await saveDocument(session, id, (current) => readChanges(session, current, parameters))
  },
})

/** @throws propertyOutsideDocument and what reading a value throws */
function readChanges({ model, principal }: WriteSession, current: Document, parameters: JsonObject): Properties {
  const shape = shapeSeen(model, current)
  for (const [xpath] of everyKept(model, parameters)) {
    if (shape.properties.has(parseXpath(model, xpath).property.name)) continue
    throw propertyOutsideDocument({ xpath, type: current.type })
  }
  const sent = wholeProperties(model, current, parameters)
  return readProperties(sent, { model, shape, principal, current, blobs: noSentBlobs, emptyStringIsNull: false })
}

/** What clients still name and nobody keeps is passed over. */
function everyKept(model: Model, parameters: JsonObject) {
  return Object.entries(parameters).filter(([xpath]) => !isGone(model, xpath))
}

/** Each property that is set, or of which a part is, as a whole. */
function wholeProperties(model: Model, current: Document, parameters: JsonObject): JsonObject {
  let properties = current.properties
  const names = new Set<string>()
  for (const [text, value] of everyKept(model, parameters)) {
    const xpath = parseXpath(model, text)
    properties = withValueAt(properties, xpath, value)
    names.add(xpath.property.name)
  }
  return Object.fromEntries([...names].map((name) => [name, properties[name] ?? null]))
}
