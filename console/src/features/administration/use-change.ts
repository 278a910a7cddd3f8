import { useMutation, useQueryClient } from '@tanstack/react-query'
import { administrationKeys } from '../../api/administration/entity-pages.ts'
import { tell } from '../../ui/toasts.tsx'

export interface ChangeOptions {
  /** Whether a refusal is shown where it belongs, so that nothing else has to tell of it. */
  isShown?(error: Error): boolean
}

/** A change of what administrators look after, which is then asked for anew. A refusal is told. */
export function useAdministrationChange<Input, Result>(
  run: (input: Input) => Promise<Result>,
  { isShown = () => false }: ChangeOptions = {},
) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: run,
    onError: (error: Error) => {
      if (!isShown(error)) tell({ kind: 'problem', text: error.message })
    },
    onSettled: () =>
      Promise.all([
        queries.invalidateQueries({ queryKey: administrationKeys.all }),
        queries.invalidateQueries({ queryKey: ['people'] }),
      ]),
  })
}
