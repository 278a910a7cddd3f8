import { Upload } from 'lucide-react'
import { useState } from 'react'
import { FileTrigger } from 'react-aria-components'
import { type CsvImport, importEntries, type Vocabulary } from '../../api/administration/vocabularies.ts'
import { Button } from '../../ui/button.tsx'
import { Choice } from '../../ui/choice.tsx'
import { Dialog, DialogActions } from '../../ui/dialog/dialog.tsx'
import { tell } from '../../ui/toasts.tsx'
import detailStyles from '../administration/detail.module.css'
import { useAdministrationChange } from '../administration/use-change.ts'
import { useVocabularyWords } from './words.ts'

/** Takes entries from a CSV file. */
export function ImportEntries({ vocabulary: { name, fields } }: { readonly vocabulary: Vocabulary }) {
  const say = useVocabularyWords()
  const [isOpen, setOpen] = useState(false)
  const [file, setFile] = useState<File>()
  const [taken, setTaken] = useState<CsvImport['taken']>('update')
  const run = useAdministrationChange(importEntries)
  const close = () => {
    setOpen(false)
    setFile(undefined)
  }
  return (
    <>
      <Button onPress={() => setOpen(true)}>
        <Upload size={16} aria-hidden />
        {say('import')}
      </Button>
      <Dialog title={say('importTitle', { name })} isOpen={isOpen} onClose={close}>
        <div className={detailStyles.form}>
          <p>{say('importHint', { columns: fields.map((field) => field.name).join(', ') })}</p>
          <FileTrigger acceptedFileTypes={['text/csv', '.csv']} onSelect={(files) => setFile(files?.[0])}>
            <Button>{file?.name ?? say('file')}</Button>
          </FileTrigger>
          <Choice<CsvImport['taken']>
            label={say('taken')}
            value={taken}
            options={[
              { value: 'update', label: say('update') },
              { value: 'skip', label: say('skip') },
            ]}
            onChange={setTaken}
          />
          <DialogActions>
            <Button onPress={close}>{say('cancel')}</Button>
            <Button
              look="main"
              isDisabled={file === undefined}
              isPending={run.isPending}
              onPress={() =>
                file !== undefined &&
                run.mutate(
                  { directory: name, file, taken },
                  {
                    onSuccess: ({ created, updated, unchanged }) => {
                      close()
                      tell({ text: say('imported', { created, updated, unchanged }) })
                    },
                  },
                )
              }
            >
              {say('import')}
            </Button>
          </DialogActions>
        </div>
      </Dialog>
    </>
  )
}
