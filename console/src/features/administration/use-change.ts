import { useMutation, useQueryClient } from '@tanstack/react-query'
import { administrationKeys } from '../../api/administration.ts'
import { tell } from '../../ui/toasts.tsx'

/** A change of what administrators look after, which is then asked for anew. A refusal is told. */
export function useAdministrationChange<Input, Result>(run: (input: Input) => Promise<Result>) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: run,
    onError: ({ message }: Error) => tell({ kind: 'problem', text: message }),
    onSettled: () =>
      Promise.all([
        queries.invalidateQueries({ queryKey: administrationKeys.all }),
        queries.invalidateQueries({ queryKey: ['people'] }),
      ]),
  })
}
