import { useMutation } from '@tanstack/react-query'
import { Download } from 'lucide-react'
import { fetchFile } from '../../api/client.ts'
import { Button } from '../../ui/button.tsx'
import { tell } from '../../ui/toasts.tsx'
import type { SelectionActionProps } from '../selection/selection-action.ts'
import { useRenditionWords } from './words.ts'

const archiveName = 'documents.zip'

/** The files of all that is selected, in one archive. */
export function DownloadAction({ ids, onDone }: SelectionActionProps) {
  const say = useRenditionWords()
  const fetching = useMutation({
    mutationFn: () =>
      fetchFile('automation/Blob.BulkDownload', {
        method: 'POST',
        json: { input: `docs:${ids.join(',')}`, params: { filename: archiveName }, context: {} },
      }),
  })
  return (
    <Button
      isPending={fetching.isPending}
      onPress={() =>
        fetching.mutate(undefined, {
          onSuccess: (file) => {
            save(file, archiveName)
            onDone()
          },
          onError: ({ message }) => tell({ kind: 'problem', text: message }),
        })
      }
    >
      <Download size={16} aria-hidden />
      <span className="wide-only">{say('download')}</span>
    </Button>
  )
}

/** Hands a file to the browser as if it had been downloaded from an address. */
function save(file: Blob, name: string): void {
  const address = URL.createObjectURL(file)
  const link = Object.assign(document.createElement('a'), { href: address, download: name })
  link.click()
  // The browser has begun to read it by then.
  setTimeout(() => URL.revokeObjectURL(address), 60_000)
}
