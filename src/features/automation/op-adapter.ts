import type { Callable, OperationRegistry } from '../../automation/registry.ts'
import { suitableMethods } from '../../automation/run/plan.ts'
import { documentsValue, type Value } from '../../automation/values/value.ts'
import { defineProblem } from '../../base/problem.ts'
import type { Session } from '../../core/session.ts'
import { type Adapter, adapterMethod } from '../../rest/adapter.ts'
import { downloadRefused, mayDownload } from '../../rest/download/download-rule.ts'
import type { Exchange } from '../../rest/request/exchange.ts'
import type { BlobResource, DocumentList, Resource } from '../../rest/resource.ts'
import { callDescription } from './call-description.ts'
import { execute, readCallable } from './execute.ts'
import { readSentCall } from './sent-call.ts'

const listFailed = defineProblem('listFailed', 'invalid', (of: { reason: string }) => of.reason)

/** `/id/x/@op/Document.Lock`: runs an operation or chain on what the path leads to. */
export const opAdapter: Adapter = {
  name: 'op',
  summary: 'Runs an operation or a chain on a document, on the documents of a page, or on a file',
  accepts: ['root', 'document', 'documents', 'blob', 'user', 'group', 'entities'],
  tail: '{operationId}',
  methods: {
    POST: adapterMethod({
      operationId: 'runOperation',
      summary: 'Run an operation or a chain on a document, on the documents of a page, or on a file',
      ...callDescription,
      async handle({ exchange, tail, resolve, sent }) {
        const id = tail.join('/')
        const callable = readCallable(exchange, id)
        const call = await readSentCall(exchange, sent)
        return execute(exchange, {
          id,
          callable,
          call,
          async input(session) {
            const resource = await resolve(session)
            if (resource.kind === 'blob') await requireDownloadable(exchange, session, resource)
            const target = targetValue(resource)
            return target !== undefined && isWanted(exchange.services.operations, callable, target) ? target : call.input
          },
        })
      },
    }),
  },
}

/** Whatever becomes of a file in an operation, its rules are about it now. @throws downloadRefused */
async function requireDownloadable({ services }: Exchange, session: Session, download: BlobResource): Promise<void> {
  if (!(await mayDownload(services.downloads.rules, session, download))) throw downloadRefused({})
}

/** What a resource is for an operation; undefined for what operations know nothing of. */
function targetValue(resource: Resource): Value | undefined {
  switch (resource.kind) {
    case 'document':
      return { kind: 'document', document: resource.document }
    case 'documents':
      return pageValue(resource)
    case 'blob': {
      const { blob, bytes, document, xpath } = resource
      const source = document !== undefined && xpath !== undefined && { source: { document, xpath } }
      return { kind: 'blob', blob: { blob, ...(bytes !== undefined && { bytes }), ...source } }
    }
    default:
      return undefined
  }
}

/** The documents of the page, which goes on with them. @throws listFailed */
function pageValue({ documents, page, aggregates = [], quickFilters = [] }: DocumentList): Value {
  // Its page would say so to a client; the operation would take it for a list of nothing, and be done.
  if (page !== undefined && page.error !== null) throw listFailed({ reason: page.error })
  return documentsValue(documents, page && { page, documents, aggregates, quickFilters })
}

/** Whether the operation, or the first of a chain, takes such a value; one that looks at no input does. */
function isWanted(registry: OperationRegistry, callable: Callable, target: Value): boolean {
  if (callable.kind === 'operation') return suitableMethods(callable.operation.methods, target.kind).length > 0
  const [first] = callable.chain.steps
  return first === undefined || isWanted(registry, registry.read(first.operation), target)
}
