<cover><#if Document["dc:source"] != null>${Document["dc:source"]}<#else>none</#if></cover>
