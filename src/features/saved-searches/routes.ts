import { runProvider } from '../../core/search/providers/run-provider.ts'
import type { Session } from '../../core/session.ts'
import type { Document } from '../../model/document.ts'
import { type Answer, entity, noContent } from '../../rest/answer.ts'
import { type Static, Type } from '../../rest/openapi/schema.ts'
import type { NoBody, SentFor } from '../../rest/payload/declared-input.ts'
import { documentPageSchema } from '../../rest/render/documents-entity.ts'
import { createRenderContext } from '../../rest/render/rendering.ts'
import { searchHeaders } from '../../rest/request/declared-headers.ts'
import type { Exchange } from '../../rest/request/exchange.ts'
import { defineRoute, type Route } from '../../rest/route.ts'
import { answerSearch, requireFound, savedSearchParameters, searchRequestOf } from '../search/index.ts'
import { parseSavedSearch, savedSearchBody } from './saved-search.ts'
import { savedSearchesSchema, savedSearchSchema, writeSavedSearch } from './saved-search-entity.ts'
import { choiceOf, planRun } from './saved-search-run.ts'
import { createSavedSearch, readSavedSearch, removeSavedSearch, replaceSavedSearch } from './saved-searches.ts'

const path = '/search/saved'
const onePath = `${path}/{id}`
const answers = { 200: savedSearchSchema, 400: 'not valid' }
const oneAnswers = { ...answers, 403: 'may not be used', 404: 'there is no such saved search' }

const searching = Type.Object(searchHeaders)
const listParameters = Type.Object({
  pageProvider: Type.Optional(Type.String({ description: 'Only those of this page provider' })),
  ...savedSearchParameters.properties,
})

const list = defineRoute({
  operationId: 'listSavedSearches',
  method: 'GET',
  path,
  under: 'api',
  summary: 'The saved searches that the caller can see, by title unless told otherwise',
  query: listParameters,
  headers: searching,
  answers: { 200: savedSearchesSchema },
  handle: (exchange, _parameters, sent) => exchange.read((session) => answerList(exchange, session, sent)),
})

const create = defineRoute({
  operationId: 'createSavedSearch',
  method: 'POST',
  path,
  under: 'api',
  summary: 'Keep a search in the own workspace of the caller',
  body: savedSearchBody,
  answers,
  handle(exchange, _parameters, { body }) {
    const search = parseSavedSearch(body)
    return exchange.write(async (session) =>
      answerOne(exchange, session, await createSavedSearch(session, exchange.services, search)),
    )
  },
})

const read: Route = {
  operationId: 'getSavedSearch',
  method: 'GET',
  path: onePath,
  under: 'api',
  summary: 'A saved search',
  answers: oneAnswers,
  handle: (exchange, { id = '' }) =>
    exchange.read(async (session) => answerOne(exchange, session, await readSavedSearch(session, id))),
}

const replace = defineRoute({
  operationId: 'replaceSavedSearch',
  method: 'PUT',
  path: onePath,
  under: 'api',
  summary: 'Put another search in its place; what is not sent is gone, but for criteria where it asks the same as before',
  body: savedSearchBody,
  answers: oneAnswers,
  handle(exchange, { id = '' }, { body }) {
    const search = parseSavedSearch(body)
    return exchange.write(async (session) =>
      answerOne(exchange, session, await replaceSavedSearch(session, exchange.services, id, search)),
    )
  },
})

const remove: Route = {
  operationId: 'deleteSavedSearch',
  method: 'DELETE',
  path: onePath,
  under: 'api',
  summary: 'Remove a saved search for good',
  answers: { 204: 'removed', 403: oneAnswers[403], 404: oneAnswers[404] },
  handle: (exchange, { id = '' }) =>
    exchange.write(async (session) => {
      await removeSavedSearch(session, id)
      return noContent()
    }),
}

const execute = defineRoute({
  operationId: 'runSavedSearch',
  method: 'GET',
  path: `${onePath}/execute`,
  under: 'api',
  summary: 'What a saved search finds',
  query: savedSearchParameters,
  headers: searching,
  answers: { ...oneAnswers, 200: documentPageSchema },
  handle: (exchange, { id = '' }, sent) =>
    exchange.read(async (session) => {
      const choice = choiceOf(sent)
      const run = planRun(session, await readSavedSearch(session, id), choice)
      return answerSearch(exchange, session, run.provider, sent, run.request)
    }),
})

export const savedSearchRoutes: readonly Route[] = [list, create, read, replace, remove, execute]

async function answerList(
  exchange: Exchange,
  session: Session,
  sent: SentFor<NoBody, typeof listParameters, typeof searching>,
): Promise<Answer> {
  const { pageProvider: ofProvider = '' } = sent.query
  const name = ofProvider === '' ? 'SAVED_SEARCHES_ALL' : 'SAVED_SEARCHES_ALL_PAGE_PROVIDER'
  const provider = session.repository.pageProviders.read(name)
  const found = requireFound(await runProvider(session, provider, searchRequestOf(sent)))
  const context = createRenderContext(session, exchange)
  const entries = found.documents.map((document) => writeSavedSearch(context, document))
  const shown: Static<typeof savedSearchesSchema> = { 'entity-type': 'savedSearches', entries }
  return entity('savedSearches', shown)
}

function answerOne(exchange: Exchange, session: Session, document: Document): Answer {
  return entity('savedSearch', writeSavedSearch(createRenderContext(session, exchange), document))
}
