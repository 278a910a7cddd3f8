import type { InlineListener } from '../../core/session.ts'
import type { Document } from '../../model/document.ts'
import { sameValue } from '../../model/property.ts'
import { definePlugin } from '../../plugin/define-plugin.ts'
import { iconOf } from './icon.ts'

/** Keeps `common:icon` in step with the type and the main file. */
const setIcon: InlineListener = {
  name: 'icons',
  when: 'inline',
  events: ['aboutToCreate', 'beforeDocumentModification'],
  order: 120,
  handle({ document, properties }, session) {
    const shape = session.model.shapeOf(document)
    if (document.isVersion || !shape.hasSchema('common') || !mayChangeIcon(document, properties['previousDocumentModel']))
      return undefined
    const icon = iconOf(document, shape)
    if (icon === undefined || icon === document.properties['common:icon']) return undefined
    return { ...document, properties: { ...document.properties, 'common:icon': icon } }
  },
}

function mayChangeIcon(document: Document, previous: unknown): boolean {
  if (previous === undefined) return true
  return !sameValue((previous as Document).properties['file:content'], document.properties['file:content'])
}

export default definePlugin({ name: 'icons', requires: ['mime-types'], listeners: [setIcon] })
