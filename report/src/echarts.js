// echarts.js - the parts of ECharts that the charts use, so that no others end up in the page.
import { BarChart, LineChart, ScatterChart } from "echarts/charts";
import { GraphicComponent, GridComponent, LegendComponent, MarkLineComponent, TooltipComponent } from "echarts/components";
import * as echarts from "echarts/core";
import { SVGRenderer } from "echarts/renderers";

echarts.use([BarChart, LineChart, ScatterChart, GraphicComponent, GridComponent, LegendComponent, MarkLineComponent,
  TooltipComponent, SVGRenderer]);

export { echarts };
