import { useMutation, useQueryClient } from '@tanstack/react-query'
import { accountKeys } from '../../api/account.ts'
import { meQuery } from '../../api/documents.ts'
import { tell } from '../../ui/toasts.tsx'

/** A change of the account, after which what is shown of it is asked for anew. A refusal is told. */
export function useAccountChange<Input, Result>(run: (input: Input) => Promise<Result>) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: run,
    onError: ({ message }: Error) => tell({ kind: 'problem', text: message }),
    onSettled: () =>
      Promise.all([
        queries.invalidateQueries({ queryKey: accountKeys.all }),
        queries.invalidateQueries({ queryKey: meQuery.queryKey }),
        queries.invalidateQueries({ queryKey: ['people'] }),
      ]),
  })
}
