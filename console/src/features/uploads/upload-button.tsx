import { Upload } from 'lucide-react'
import { FileTrigger } from 'react-aria-components'
import { Button } from '../../ui/button.tsx'
import { uploadFiles } from './uploads.ts'
import { useUploadWords } from './words.ts'

export function UploadButton({ folderId }: { readonly folderId: string }) {
  const say = useUploadWords()
  return (
    <FileTrigger allowsMultiple onSelect={(files) => uploadFiles([...(files ?? [])], folderId)}>
      <Button>
        <Upload size={16} aria-hidden />
        {say('upload')}
      </Button>
    </FileTrigger>
  )
}
