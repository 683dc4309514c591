// Files that lie in this browser, as the page shows files.

import { useEffect, useMemo } from "../view.js";

/** The files with addresses for as long as the view is there.
 * @param {File[]} files
 * @returns {import("../media/kinds.js").PageFile[]} */
export function useLocal(files) {
  const shown = useMemo(() => files.map((file) => ({ name: file.name, media_type: file.type, url: URL.createObjectURL(file), size: file.size })), [files]);
  useEffect(() => () => shown.forEach(({ url }) => URL.revokeObjectURL(url)), [shown]);
  return shown;
}
