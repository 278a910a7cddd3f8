import { defineOperation, type Operation } from '../../../automation/operation.ts'
import type { StackedKind } from '../../../automation/stacks.ts'
import type { Value, ValueOf } from '../../../automation/values/value.ts'
import type { Inputs, Outputs } from '../../../automation/values/words.ts'

type Word = 'document' | 'documents' | 'blob' | 'bloblist'

interface Pile<W extends Word, Kind extends StackedKind> {
  readonly word: W
  readonly kind: Kind
  /** In the ids: `Context.PushBlobList`, also `Blob.PushList`. */
  readonly of: 'Document' | 'Blob'
  readonly suffix: '' | 'List'
  /** `whole` is the input with all that is known of it. */
  put(input: Inputs[W], whole: Value): ValueOf<Kind>
  take(value: ValueOf<Kind>): Outputs[W]
}

function defineStack<W extends Word, Kind extends StackedKind>(pile: Pile<W, Kind>): readonly Operation[] {
  const { word, kind, of, suffix } = pile
  const named = (verb: 'Push' | 'Pop' | 'Pull') => ({
    id: `Context.${verb}${of}${suffix}`,
    aliases: [`${of}.${verb}${suffix}`],
    category: 'Push & Pop',
    effect: 'reads' as const,
    params: {},
  })
  return [
    defineOperation({
      ...named('Push'),
      description: `Puts the ${word} aside for a later step.`,
      run: ({ on }) => [
        on(word, word, (input, { context }) => {
          const value = pile.put(input, context.input)
          context.stacks.push(value)
          return pile.take(value)
        }),
      ],
    }),
    defineOperation({
      ...named('Pop'),
      description: `Goes on with the ${word} that was put aside last.`,
      run: ({ on }) => [on('void', word, (_, { context }) => pile.take(context.stacks.pop(kind)))],
    }),
    defineOperation({
      ...named('Pull'),
      description: `Goes on with the ${word} that was put aside first.`,
      run: ({ on }) => [on('void', word, (_, { context }) => pile.take(context.stacks.pull(kind)))],
    }),
  ]
}

export const contextStackOperations: readonly Operation[] = [
  ...defineStack({
    word: 'document',
    kind: 'document',
    of: 'Document',
    suffix: '',
    put: (document) => ({ kind: 'document', document }),
    take: ({ document }) => document,
  }),
  ...defineStack({
    word: 'documents',
    kind: 'documents',
    of: 'Document',
    suffix: 'List',
    put: (documents, whole) => (whole.kind === 'documents' ? whole : { kind: 'documents', documents }),
    // A page stays one.
    take: ({ documents, found }) => found ?? documents,
  }),
  ...defineStack({
    word: 'blob',
    kind: 'blob',
    of: 'Blob',
    suffix: '',
    put: (blob) => ({ kind: 'blob', blob }),
    take: ({ blob }) => blob,
  }),
  ...defineStack({
    word: 'bloblist',
    kind: 'blobs',
    of: 'Blob',
    suffix: 'List',
    put: (blobs) => ({ kind: 'blobs', blobs }),
    take: ({ blobs }) => blobs,
  }),
]
