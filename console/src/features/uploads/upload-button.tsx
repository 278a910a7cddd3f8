import { Upload } from 'lucide-react'
import { useRef } from 'react'
import { FileTrigger } from 'react-aria-components'
import { Button } from '../../ui/button.tsx'
import { useCommands } from '../../ui/commands.ts'
import { sendFilesTo } from './send-files.ts'
import { useUploadWords } from './words.ts'

export function UploadButton({ folderId }: { readonly folderId: string }) {
  const say = useUploadWords()
  const input = useRef<HTMLInputElement>(null)
  useCommands([{ id: 'upload', label: say('uploadFiles'), icon: Upload, run: () => input.current?.click() }])
  return (
    <FileTrigger ref={input} allowsMultiple onSelect={(files) => sendFilesTo(folderId, [...(files ?? [])])}>
      <Button>
        <Upload size={16} aria-hidden />
        {say('upload')}
      </Button>
    </FileTrigger>
  )
}
