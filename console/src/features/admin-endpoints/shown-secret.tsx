import { Copy } from 'lucide-react'
import { useState } from 'react'
import { renewWebhookSecret } from '../../api/webhooks.ts'
import { Button } from '../../ui/button.tsx'
import { Confirm } from '../../ui/confirm.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { tell } from '../../ui/toasts.tsx'
import styles from '../administration/detail.module.css'
import { useAdministrationChange } from '../administration/use-change.ts'
import { useEndpointWords } from './words.ts'

/** What requests are signed with, right after it was made: who closes this does not see it again. */
export function ShownSecret({ secret, onClose }: { readonly secret: string; onClose(): void }) {
  const say = useEndpointWords()
  const copy = async () => {
    await navigator.clipboard.writeText(secret)
    tell({ text: say('copied') })
  }
  return (
    <div className={styles.form}>
      <TextField label={say('secret')} hint={say('secretHint')} value={secret} isReadOnly autoFocus />
      <DialogActions>
        {/* Only where the connection is secure has a browser a clipboard. */}
        {isSecureContext ? (
          <Button onPress={() => void copy()}>
            <Copy size={16} aria-hidden />
            {say('copy')}
          </Button>
        ) : null}
        <Button look="main" onPress={onClose}>
          {say('close')}
        </Button>
      </DialogActions>
    </div>
  )
}

/** Gives a webhook another secret, once that is confirmed, and shows it this once. */
export function RenewSecret({ id }: { readonly id: string }) {
  const say = useEndpointWords()
  const [isAsked, setAsked] = useState(false)
  const renew = useAdministrationChange(() => renewWebhookSecret(id))
  return (
    <>
      <Button onPress={() => setAsked(true)}>{say('renew')}</Button>
      <Confirm
        title={say('renewTitle')}
        sentence={say('renewSentence')}
        words={{ confirm: say('renew'), cancel: say('cancel') }}
        isOpen={isAsked}
        isPending={renew.isPending}
        onClose={() => setAsked(false)}
        onConfirm={() => renew.mutate(undefined, { onSettled: () => setAsked(false) })}
      />
      <Dialog title={say('renew')} isOpen={renew.data !== undefined} onClose={renew.reset}>
        <ShownSecret secret={renew.data?.secret ?? ''} onClose={renew.reset} />
      </Dialog>
    </>
  )
}
