import { defineProblem } from '../../base/problem.ts'
import type { InlineListener } from '../../core/session.ts'
import type { Document } from '../../model/document.ts'
import { isBlobValue } from '../../model/properties/property.ts'
import type { Shape } from '../../model/shape.ts'
import { definePlugin } from '../../plugin/define-plugin.ts'
import { bytesAnswer } from '../../rest/openapi/answers.ts'
import type { Route } from '../../rest/route.ts'
import { anyBytes, findMimeType } from '../mime-types/index.ts'
import { findDrawing } from './drawings.ts'

export { findDrawing } from './drawings.ts'

/** Keeps `common:icon` in step with the type and the main file. */
const setIcon: InlineListener = {
  name: 'icons',
  when: 'inline',
  events: ['aboutToCreate', 'beforeDocumentModification'],
  order: 120,
  changes: ({ name }) => name === 'file:content',
  handle({ document }, session) {
    const shape = session.model.shapeOf(document)
    if (document.isVersion || !shape.hasSchema('common')) return undefined
    const icon = iconOf(document, shape)
    if (icon === undefined || icon === document.properties['common:icon']) return undefined
    return { ...document, properties: { ...document.properties, 'common:icon': icon } }
  },
}

const noSuchIcon = defineProblem('noSuchIcon', 'notFound', (of: { name: string }) => `There is no icon ${of.name.slice(0, 100)}.`)

/** Where `common:icon` leads. Public, because a page may show an icon before the user has logged in. */
const drawing: Route = {
  method: 'GET',
  path: '/icons/{name}',
  under: 'server',
  isPublic: true,
  summary: 'The picture that a document has in common:icon',
  answers: { 200: bytesAnswer('The drawing, whatever the name ends with', 'image/svg+xml'), 404: 'there is no such icon' },
  async handle(_exchange, { name = '' }) {
    const text = findDrawing(name)
    if (text === undefined) throw noSuchIcon({ name })
    const headers = { 'Cache-Control': 'public, max-age=86400' }
    return { kind: 'text', status: 200, contentType: 'image/svg+xml', text, headers }
  },
}

export default definePlugin({ name: 'icons', requires: ['mime-types'], listeners: [setIcon], routes: [drawing] })

/** The icon of the main file for a document that is one, else of its type; undefined when neither has one. */
function iconOf(document: Document, shape: Shape): string | undefined {
  const content = document.properties['file:content']
  const isFile = !shape.hasFacet('Folderish') && isBlobValue(content)
  return isFile ? iconOfMimeType(content['mime-type']) : shape.type.icon
}

function iconOfMimeType(mimeType: string | null): string | undefined {
  const known = findMimeType(mimeType ?? anyBytes) ?? findMimeType(anyBytes)
  return known && `/icons/${known.icon}`
}
