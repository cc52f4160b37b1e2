import type { ReactNode } from "react"
import { Dialog as AriaDialog, Heading } from "react-aria-components/Dialog"
import { Modal, ModalOverlay } from "react-aria-components/Modal"

interface Props {
  readonly title: string
  /** Asks before an act that cannot be undone. */
  readonly alert?: boolean
  /** For two columns or a picture. */
  readonly wide?: boolean
  readonly onClose: () => void
  readonly children: ReactNode
}

export const Dialog = ({ alert = false, children, onClose, title, wide = false }: Props) => (
  <ModalOverlay
    className="veil"
    isOpen
    isDismissable={!alert}
    onOpenChange={(open) => {
      if (!open) onClose()
    }}
  >
    <Modal className={wide ? "dialog wide" : "dialog"}>
      <AriaDialog role={alert ? "alertdialog" : "dialog"}>
        <Heading slot="title" level={2}>
          {title}
        </Heading>
        {children}
      </AriaDialog>
    </Modal>
  </ModalOverlay>
)
