import { useMutation } from '@tanstack/react-query';
import { useToasts } from '../components/toast.js';

/** What a command comes to: done, or kept until the instance gets to it. */
interface CommandAnswer {
  status?: string;
  /** What else is to be known about it. */
  message?: string;
}

/**
 * Something that is asked of an instance. When it is taken, a sentence says so, and everything on the screen is asked
 * for again; when it is refused, `error` holds why.
 *
 * @param done the sentence, in the past
 */
export function useCommand<Input>(done: string, run: (input: Input) => Promise<CommandAnswer | undefined>, onSuccess?: () => void) {
  const toasts = useToasts();
  return useMutation({
    mutationFn: run,
    onSuccess: (answer) => {
      const more = answer?.message ? ` ${answer.message}.` : '';
      toasts.done(answer?.status === 'PENDING' ? 'Accepted. It takes effect when the instance processes it.' : `${done}${more}`);
      onSuccess?.();
    },
  });
}
