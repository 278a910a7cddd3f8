import { defineOperation } from '../../automation/operation.ts'
import { optional, required } from '../../automation/parameter.ts'
import { applyChanges, saveParameter, saveUnsaved } from '../../automation/unsaved-changes.ts'
import { readSentChanges } from '../../automation/values/read-sent-properties.ts'
import type { SentProperties } from '../../automation/values/words.ts'
import { stringifyJson } from '../../base/json.ts'
import { defineProblem } from '../../base/problem.ts'
import { readDocument } from '../../core/documents/read-document.ts'
import { changeAcls } from '../../core/documents/rights/change-acls.ts'
import { prepareAces } from '../../core/documents/rights/prepare-aces.ts'
import type { WriteSession } from '../../core/session.ts'
import type { Document } from '../../model/document.ts'
import { isScalar } from '../../model/field.ts'
import { isGone } from '../../model/properties/removed-property.ts'
import { requireChangeable, valueAt, withValueAt } from '../../model/properties/xpath.ts'
import { type Ace, grant, localAclName } from '../../model/rights/acl.ts'
import { withAcl } from '../../model/rights/acl-change.ts'
import { changedProperty, clearing, readPlace } from './changeable-place.ts'
import { defineEdit } from './define-edit.ts'

const aclNotReadable = defineProblem(
  'aclNotReadable',
  'invalid',
  (of: { text: string }) => `Write ecm:acl as user:permission:true, with commas between the entries, not as ${of.text}.`,
)

const aclKey = 'ecm:acl'

/** Of sent properties those that are properties, and the entries that are to be the local ACL. @throws aclNotReadable */
export function splitLocalAcl(sent: SentProperties): { localAcl?: readonly Ace[]; properties: SentProperties } {
  const { [aclKey]: acl, ...properties } = sent
  return acl === undefined ? { properties } : { properties, localAcl: parseAces(acl ?? '') }
}

function parseAces(json: SentProperties[string]): readonly Ace[] {
  if (typeof json !== 'string') throw aclNotReadable({ text: stringifyJson(json).slice(0, 200) })
  return json
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '')
    .map(parseAce)
}

function parseAce(text: string): Ace {
  const [, user, permission, granted] = /^(.+):([^:]+):(true|false)$/.exec(text) ?? []
  if (user === undefined || permission === undefined) throw aclNotReadable({ text })
  return grant(user, permission, { granted: granted === 'true' })
}

/** Gives the document this local ACL and leaves its others. @throws privilegeMissing without WriteSecurity, and as prepareAces */
export function setLocalAcl(session: WriteSession, { id }: Document, aces: readonly Ace[]): Promise<Document> {
  return changeAcls(session, id, async ({ acls }) => ({
    acls: withAcl(acls, localAclName, await prepareAces(session, aces)),
  }))
}

export const notASingleValue = defineProblem(
  'notASingleValue',
  'invalid',
  (of: { xpath: string; use: string }) => `${of.xpath} cannot be set to one value. ${of.use}`,
)

export const update = defineOperation({
  id: 'Document.Update',
  category: 'Document',
  description: 'Sets properties of the document.',
  effect: 'writes',
  params: {
    properties: required('properties'),
    save: saveParameter,
    changeToken: optional('string', { description: 'As read: a change by someone else since then is a conflict' }),
  },
  run: ({ each }) => [
    each('document', 'document', async (document, { session, params, context }) => {
      const { save, changeToken } = params
      const { localAcl, properties } = splitLocalAcl(params.properties)
      const changes = await readSentChanges(context, document, properties)
      const options = { save, ...(changeToken !== undefined && { changeToken }) }
      const updated = await applyChanges(context, document, changes, options)
      return localAcl === undefined ? updated : setLocalAcl(session, updated, localAcl)
    }),
  ],
})

export const setProperty = defineEdit({
  id: 'Document.SetProperty',
  description: 'Sets one property to a value, or clears it when there is none.',
  params: {
    xpath: required('string'),
    value: optional('serializable', { description: 'A text is read as the property needs it' }),
  },
  async edit(document, { session, context, params }) {
    if (isGone(session.model, params.xpath)) return () => ({})
    const place = readPlace(session, document, params.xpath)
    const { value: sent = null } = params
    if (!isScalar(place.type)) throw notASingleValue({ xpath: params.xpath, use: 'Use Document.Update.' })
    if (typeof sent === 'object' && sent !== null) throw notASingleValue({ xpath: params.xpath, use: 'Send a text or a number.' })
    const value = await context.host.readValue(session, place, valueAt(document.properties, place), sent)
    return ({ properties }) => {
      requireChangeable(properties, place)
      return changedProperty(withValueAt(properties, place, value), place)
    }
  },
})

export const removeProperty = defineEdit({
  id: 'Document.RemoveProperty',
  description: 'Clears a property, or takes one item out of its list.',
  params: { xpath: required('string', { description: 'files:files/0 is the first item of a list' }) },
  edit(document, { session, params }) {
    return isGone(session.model, params.xpath) ? () => ({}) : clearing(readPlace(session, document, params.xpath))
  },
})

export const save = defineOperation({
  id: 'Document.Save',
  category: 'Document',
  description: 'Stores what earlier steps changed in the document and left to be saved.',
  effect: 'writes',
  params: {},
  run: ({ each }) => [each('document', 'document', (document, { context }) => saveUnsaved(context, document))],
})

export const reload = defineOperation({
  id: 'Document.Reload',
  category: 'Document',
  description: 'Forgets what was changed in the document and not saved.',
  effect: 'reads',
  params: {},
  run: ({ each }) => [
    each('document', 'document', ({ id }, { session, context }) => {
      context.unsaved.take(id)
      return readDocument(session, id)
    }),
  ],
})
