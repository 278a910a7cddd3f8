import { shortened } from '../../../base/shortened.ts'
import type { Model } from '../../../model/model.ts'
import { noSuchProperty } from '../../../nxql/check/resolve-reference.ts'
import { compileQuery } from '../../../nxql/compile-query.ts'
import { failedQuery } from '../../../nxql/failed-query.ts'
import { placesOf } from '../query/fill-pattern.ts'
import { unfilledQuery } from '../query/provider-query.ts'
import type { PageProvider } from './page-provider.ts'

/** What is wrong with the queries that a provider makes, whatever a client fills in; undefined when nothing is. */
export function findQueryMistake(provider: PageProvider, model: Model): string | undefined {
  const { quickFilters = [], whereClause } = provider
  const isQuoted = (whereClause ?? provider).quotesParameters ?? true
  const mistakeIn = (query: string) => {
    // Without quotes a place may stand for any piece of a query: what it will be is not known here.
    const isKnown = isQuoted || placesOf(query).length === 0
    return isKnown ? findMistake(query, model) : undefined
  }
  const mistake = mistakeIn(unfilledQuery(provider))
  if (mistake !== undefined) return `has a query that is wrong at ${mistake}`
  for (const filter of quickFilters) {
    const flaw = mistakeIn(unfilledQuery(provider, filter))
    if (flaw !== undefined) return `has the quick filter ${filter.name}, with which its query is wrong at ${flaw}`
  }
  return undefined
}

/** Whether a query may have a condition on the property, whatever its values are. */
export function canBeAsked(property: string, model: Model): boolean {
  try {
    compileQuery(model, `SELECT * FROM Document WHERE ${property} = 'x'`)
    return true
  } catch (error) {
    return !(failedQuery.is(error) && noSuchProperty.is(error.cause))
  }
}

/** What may be in a place: a mistake that is there with each of them is the query's own. */
const trialLiterals = ["'x'", '0', "DATE '2000-01-01'", "('x')", '(0)'] as const

interface Trial {
  readonly start: number
  readonly end: number
  readonly tried: number
}

/** Fills the places, and wherever a value is of the wrong type the next one is tried. */
function findMistake(query: string, model: Model): string | undefined {
  const places: Trial[] = placesOf(query).map((place) => ({ ...place, tried: 0 }))
  for (;;) {
    const { text, starts } = fill(query, places)
    const mistake = compileMistake(model, text)
    if (mistake === undefined) return undefined
    const index = starts.indexOf(mistake.offset)
    const place = places[index]
    if (place === undefined) return quoteMistake(text, mistake)
    // None of these fits: the place is for a value of another kind.
    if (place.tried + 1 === trialLiterals.length) return undefined
    places[index] = { ...place, tried: place.tried + 1 }
  }
}

function fill(query: string, places: readonly Trial[]): { readonly text: string; readonly starts: readonly number[] } {
  const starts: number[] = []
  let text = ''
  let copied = 0
  for (const { start, end, tried } of places) {
    text += query.slice(copied, start)
    starts.push(text.length)
    text += trialLiterals[tried]
    copied = end
  }
  return { text: text + query.slice(copied), starts }
}

interface Mistake {
  readonly offset: number
  readonly reason: string
}

function compileMistake(model: Model, text: string): Mistake | undefined {
  try {
    compileQuery(model, text)
    return undefined
  } catch (error) {
    if (!failedQuery.is(error)) throw error
    return error.details
  }
}

const quotedCharacters = 40

/** Where the mistake is in the words of the query, which its author finds again: offsets count what was filled in. */
function quoteMistake(text: string, { offset, reason }: Mistake): string {
  const rest = text.slice(offset).replaceAll(/\s+/g, ' ').trim()
  const place = rest === '' ? 'its end' : `“${shortened(rest, quotedCharacters)}”`
  return `${place}: ${reason}`
}
