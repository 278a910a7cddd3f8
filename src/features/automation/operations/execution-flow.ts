import type { OperationContext } from '../../../automation/context.ts'
import { findItems } from '../../../automation/expressions/operand.ts'
import { defineOperation, type Operation } from '../../../automation/operation.ts'
import { defaulted, required } from '../../../automation/parameter.ts'
import { saveUnsaved } from '../../../automation/unsaved-changes.ts'
import { resolveSentInput, toBlob, toBlobs, toDocument, toDocuments } from '../../../automation/values/convert-value.ts'
import { documentsValue, type Value } from '../../../automation/values/value.ts'
import type { Inputs, Outputs } from '../../../automation/values/words.ts'
import { findReadable, findStored } from '../../../core/documents/read-document.ts'
import { effectivePageSize } from '../../../core/search/page/page.ts'
import type { ProviderPage } from '../../../core/search/page/provider-page.ts'
import { scopeOf } from '../../../core/search/page/run-query.ts'
import type { Document, DocumentId } from '../../../model/document.ts'
import { readVariable } from './context-variables.ts'
import {
  type Apart,
  apartOnlyParameters,
  apartParameters,
  idParameter,
  isolate,
  parametersParameter,
  type RunRequest,
  runApart,
  runNamed,
} from './run-apart.ts'

const category = 'Execution Flow'

const runOperation = defineOperation({
  id: 'RunOperation',
  aliases: ['Context.RunOperation'],
  category,
  description: 'Runs an operation or chain on the input, which then goes on as it came.',
  effect: 'writes',
  params: { id: idParameter, isolate: isolate(false), parameters: parametersParameter },
  run: ({ on }) => [
    on('void', 'void', async (_, { params: { id, parameters, isolate: isIsolated }, context }) => {
      await runNamed(context, context.input, { id, parameters, isIsolated })
    }),
  ],
})

type Runnable = 'document' | 'documents' | 'blob' | 'bloblist'

/** How what was run is read again; what failed without failing the call leaves its input. */
interface Kind<Word extends Runnable> {
  readonly word: Word
  put(input: Inputs[Word]): Value
  take(context: OperationContext, value: Value): Promise<Outputs[Word]>
}

function defineRunOn<One extends Runnable, Many extends Runnable>(
  id: string,
  what: string,
  one: Kind<One>,
  many: Kind<Many>,
): Operation {
  return defineOperation({
    id,
    aliases: [`Context.${id}`],
    category,
    description: `Runs an operation or chain on ${what} and goes on with what it gives.`,
    effect: 'writes',
    params: { id: idParameter, isolate: isolate(false), parameters: parametersParameter, ...apartParameters(true) },
    run: ({ on }) => {
      const methodFor = <Word extends Runnable>({ word, put, take }: Kind<Word>) =>
        on(word, word, async (input, { params: { id: called, parameters, isolate: isIsolated, ...apart }, context }) => {
          const value = put(input)
          const given = await runApart(context, value, { id: called, parameters, isIsolated }, apart)
          return given?.kind === 'nothing' ? (undefined as Outputs[Word]) : take(context, given ?? value)
        })
      return [methodFor(one), methodFor(many)]
    },
  })
}

const runDocumentOperation = defineRunOn(
  'RunDocumentOperation',
  'documents',
  { word: 'document', put: (document) => ({ kind: 'document', document }), take: toDocument },
  { word: 'documents', put: (documents) => documentsValue(documents), take: toDocuments },
)

const runFileOperation = defineRunOn(
  'RunFileOperation',
  'files',
  { word: 'blob', put: (blob) => ({ kind: 'blob', blob }), take: toBlob },
  { word: 'bloblist', put: (blobs) => ({ kind: 'blobs', blobs }), take: toBlobs },
)

const listParameter = required('string', { description: 'The variable that holds the list' })

const runOnList = defineOperation({
  id: 'RunOperationOnList',
  aliases: ['Context.RunOperationOnList'],
  category,
  description: 'Runs an operation or chain once for each item of a list in a variable, with the item in another variable.',
  effect: 'writes',
  params: {
    id: idParameter,
    list: listParameter,
    item: defaulted('string', 'item', { description: 'The variable for the item' }),
    isolate: isolate(true),
    parameters: parametersParameter,
    ...apartParameters(true),
  },
  run: ({ on }) => [
    on('void', 'void', async (_, { params: { id, list, item, isolate: isIsolated, parameters, ...apart }, context }) => {
      await runForEach(context, list, item, { id, parameters, isIsolated }, apart)
    }),
  ],
})

const runOnListInNewTx = defineOperation({
  id: 'RunOperationOnListInNewTx',
  aliases: ['Context.RunOperationOnListInNewTx'],
  category,
  description:
    'Runs an operation or chain once for each item of a list, each apart from the others. RunOperationOnList does the same with newTx.',
  effect: 'writes',
  params: {
    id: idParameter,
    list: listParameter,
    itemName: defaulted('string', 'item', { description: 'The variable for the item' }),
    isolate: isolate(true),
  },
  run: ({ on }) => [
    on('void', 'void', async (_, { params: { id, list, itemName, isolate: isIsolated }, context }) => {
      const apart = { newTx: true, timeout: 60, rollbackGlobalOnError: true }
      await runForEach(context, list, itemName, { id, isIsolated }, apart)
    }),
  ],
})

async function runForEach(
  context: OperationContext,
  list: string,
  itemName: string,
  request: RunRequest,
  apart: Apart,
): Promise<void> {
  const value = readVariable(context, list)
  // One thing is a list of one.
  for (const sent of findItems(value) ?? [value]) {
    const item = await resolveSentInput(context, sent)
    await runApart(context, context.input, { ...request, variables: new Map([[itemName, item]]) }, apart)
  }
}

const runInNewTx = defineOperation({
  id: 'Context.RunDocumentOperationInNewTx',
  category,
  description: 'Runs an operation or chain on the input, apart from the rest of the request: what fails is undone and logged.',
  effect: 'writes',
  params: { id: idParameter, isolate: isolate(false), parameters: parametersParameter, ...apartOnlyParameters(false) },
  run: ({ on }) => [
    on('void', 'void', async (_, { params: { id, parameters, isolate: isIsolated, ...apart }, context }) => {
      await runApart(context, context.input, { id, parameters, isIsolated }, { newTx: true, ...apart })
    }),
  ],
})

const runOnProvider = defineOperation({
  id: 'RunOperationOnProvider',
  aliases: ['Context.RunOperationOnProvider'],
  category,
  description: 'Runs an operation or chain on the page of documents that was found, and on each page after it.',
  effect: 'writes',
  params: { id: idParameter, isolate: isolate(true) },
  run: ({ on }) => [
    on('paginable', 'void', async (found, { params: { id, isolate: isIsolated }, context }) => {
      for (const ids of await listPages(context, found)) {
        await runNamed(context, documentsValue(await listReadable(context, ids)), { id, isIsolated })
      }
    }),
  ],
})

/** All pages are looked up before the first is worked on: what is done to documents may change what the search finds. */
async function listPages(
  { session, budget }: OperationContext,
  { query, page, documents }: ProviderPage,
): Promise<readonly (readonly DocumentId[])[]> {
  const size = effectivePageSize(page.pageSize, page.maxPageSize)
  if (query === undefined || documents.length < size) return [documents.map(({ id }) => id)]
  const ids = await session.reader.search.listIds(query, await scopeOf(session, query), {
    offset: page.currentPageOffset,
    limit: budget.limits.documents + 1,
  })
  return Array.from({ length: Math.ceil(ids.length / size) }, (_, index) => ids.slice(index * size, (index + 1) * size))
}

async function listReadable({ session, budget }: OperationContext, ids: readonly DocumentId[]): Promise<readonly Document[]> {
  const found: Document[] = []
  for (const id of ids) {
    const document = await findReadable(session, id)
    if (document === undefined) continue
    budget.give([document])
    found.push(document)
  }
  return found
}

const saveSession = defineOperation({
  id: 'Repository.SaveSession',
  aliases: ['Document.SaveSession'],
  category,
  description: 'Saves all changes that earlier steps have left unsaved.',
  effect: 'writes',
  params: {},
  run: ({ on }) => [
    on('void', 'void', async (_, { session, context }) => {
      for (const id of context.unsaved.list()) {
        const document = await findStored(session, id)
        if (document !== undefined) await saveUnsaved(context, document)
      }
    }),
  ],
})

export const executionFlowOperations: readonly Operation[] = [
  runOperation,
  runDocumentOperation,
  runFileOperation,
  runOnList,
  runOnListInNewTx,
  runInNewTx,
  runOnProvider,
  saveSession,
]
