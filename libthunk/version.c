// SPDX-License-Identifier: MIT
/* DOC: the KFD's version, as the open found it. */
#include <errno.h>

#include "thunk_context.h"

HSAKMT_STATUS HSAKMTAPI hsaKmtGetVersion(HsaVersionInfo *VersionInfo)
{
	HSAKMT_STATUS status = thunk_enter();

	if (status)
		return status;
	if (!VersionInfo)
		return thunk_leave(-EINVAL);
	*VersionInfo = thunk.version;
	return thunk_leave(0);
}
