import { defineProblem, Problem } from '../../base/problem.ts'
import type { Document } from '../../model/document.ts'
import { shapeSeen } from '../documents/proxies/proxy.ts'
import type { Session } from '../session.ts'
import { defaultRenditionName, type RenditionReason } from './default-rendition.ts'
import type { RenderedFile, Rendition, RenditionCall, RenditionProvider } from './rendition.ts'

export const renditionNotFound = defineProblem(
  'renditionNotFound',
  'notFound',
  (of: { id: string; name: string }) => `${of.id} has no rendition ${of.name.slice(0, 100)}.`,
)

/** All forms in which documents can be had. */
export interface Renditions {
  /** Those that do not depend on a single document, in their order. */
  readonly declared: readonly Rendition[]
  /** Those of a document, in their order. */
  listFor(session: Session, document: Document): Promise<readonly Rendition[]>
  find(session: Session, document: Document, name: string): Promise<Rendition | undefined>
}

export function createRenditions(contributed: {
  readonly renditions: readonly Rendition[]
  readonly renditionProviders: readonly RenditionProvider[]
}): Renditions {
  const declared = contributed.renditions.toSorted((left, right) => placeOf(left) - placeOf(right))
  const everyOne = async function* (session: Session, document: Document): AsyncGenerator<Rendition> {
    for (const rendition of declared) if (await rendition.isAvailable(session, document)) yield rendition
    const names = new Set(['', '.', '..', ...declared.map(({ name }) => name)])
    for (const { listFor } of contributed.renditionProviders) {
      for (const rendition of await listFor(session, document)) {
        // Documents name these as they like: one whose address leads to something else is none.
        if (names.has(rendition.name.trim())) continue
        names.add(rendition.name)
        yield rendition
      }
    }
  }
  return {
    declared,
    listFor: (session, document) => Array.fromAsync(everyOne(session, document)),
    async find(session, document, name) {
      const known = declared.find((rendition) => rendition.name === name)
      if (known !== undefined) return (await known.isAvailable(session, document)) ? known : undefined
      for await (const rendition of everyOne(session, document)) if (rendition.name === name) return rendition
      return undefined
    },
  }
}

function placeOf({ order = Number.POSITIVE_INFINITY }: Rendition): number {
  return order
}

/** One that cannot be made is none, where another takes its place. */
async function renderOr(rendition: Rendition, call: RenditionCall, hasSubstitute: boolean): Promise<RenderedFile | undefined> {
  try {
    return await rendition.render(call)
  } catch (error) {
    if (hasSubstitute && error instanceof Problem && !call.signal.aborted) return undefined
    throw error
  }
}

/** A rendition that was made, and which it is. */
export interface RenderedAs extends RenderedFile {
  readonly rendition: string
}

/**
 * What is handed over when a document is asked for as a file. Where its text cannot be made a PDF here, the text itself is better than
 * nothing. Undefined where there is nothing to hand over.
 */
export async function renderDefault(
  renditions: Pick<Renditions, 'find'>,
  call: RenditionCall,
  reason: RenditionReason,
): Promise<RenderedAs | undefined> {
  const { session, document } = call
  const preferred = defaultRenditionName(document, shapeSeen(session.model, document), reason)
  for (const name of [preferred, 'mainBlob']) {
    const rendition = name === undefined ? undefined : await renditions.find(session, document, name)
    const rendered = rendition && (await renderOr(rendition, call, name === 'pdf'))
    if (rendered !== undefined && rendition !== undefined) return { ...rendered, rendition: rendition.name }
  }
  return undefined
}
