import { defaulted, optional, required } from '../../automation/parameter.ts'
import { readSentValue } from '../../automation/values/read-sent-properties.ts'
import type { Json } from '../../base/json.ts'
import { isScalar } from '../../model/field.ts'
import { type PropertyValue, sameValue } from '../../model/properties/property.ts'
import { changingList, clearing, itemAt, otherItems, readListPlace, readScalarListPlace } from './changeable-place.ts'
import { defineEdit } from './define-edit.ts'
import { notASingleValue } from './properties.ts'

export const addItem = defineEdit({
  id: 'DocumentMultivaluedProperty.addItem',
  aliases: ['AddEntryToMultivaluedProperty'],
  description: 'Adds a value at the end of a list of values.',
  params: {
    xpath: required('string'),
    value: required('serializable'),
    checkExists: defaulted('boolean', true, { description: 'A value that is in the list is not added again' }),
  },
  async edit(document, { session, context, params }) {
    const { xpath, checkExists } = params
    const list = readScalarListPlace(session, document, xpath)
    const value = await context.host.readValue(session, itemAt(list, 0), null, singleValue(xpath, params.value))
    return changingList(list, (items) => (checkExists && has(items, value) ? items : [...items, value]))
  },
})

export const removeEntry = defineEdit({
  id: 'Document.RemoveEntryOfMultivaluedProperty',
  aliases: ['RemoveEntryOfMultivaluedProperty'],
  description: 'Takes a value out of a list of values.',
  params: {
    xpath: required('string'),
    value: required('serializable'),
    'is Remove All': defaulted('boolean', true, { description: 'False: only the first of several' }),
  },
  async edit(document, { session, context, params }) {
    const { xpath, 'is Remove All': removesAll } = params
    const list = readScalarListPlace(session, document, xpath)
    const value = await context.host.readValue(session, itemAt(list, 0), null, singleValue(xpath, params.value))
    return changingList(list, (items) => without(items, value, removesAll))
  },
})

export const addItemToListProperty = defineEdit({
  id: 'Document.AddItemToListProperty',
  description: 'Adds items with several fields at the end of a list of such.',
  params: {
    xpath: required('string'),
    complexJsonProperties: required('string', { description: 'The items as a JSON array', widget: 'TextArea' }),
  },
  async edit(document, { session, context, params }) {
    const list = readListPlace(session, document, params.xpath)
    if (isScalar(list.item.type)) throw otherItems({ xpath: params.xpath, operation: addItem.id })
    const added = await readSentValue(context, list, params.complexJsonProperties)
    return changingList(list, (items) => (Array.isArray(added) ? [...items, ...added] : items))
  },
})

export const removeItemFromListProperty = defineEdit({
  id: 'Document.RemoveItemFromListProperty',
  description: 'Takes one item out of a list, or all of them.',
  params: {
    xpath: required('string'),
    index: optional('integer', { description: 'The first is 0; absent, the list is emptied' }),
  },
  edit(document, { session, params }) {
    const list = readListPlace(session, document, params.xpath)
    return clearing(params.index === undefined ? list : itemAt(list, params.index))
  },
})

function has(items: readonly PropertyValue[], value: PropertyValue): boolean {
  return items.some((item) => sameValue(item, value))
}

function without(items: readonly PropertyValue[], value: PropertyValue, removesAll: boolean): readonly PropertyValue[] {
  if (removesAll) return items.filter((item) => !sameValue(item, value))
  const first = items.findIndex((item) => sameValue(item, value))
  return first < 0 ? items : items.toSpliced(first, 1)
}

/** @throws notASingleValue */
function singleValue(xpath: string, sent: Json): Json {
  if (typeof sent === 'object' && sent !== null) throw notASingleValue({ xpath, use: 'Send one text or number at a time.' })
  return sent
}
